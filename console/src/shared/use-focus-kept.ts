import { useEffect } from 'react';

/**
 * Moves the focus when the focused element is removed, such as a button that no longer applies: in a table
 * to its row (the next row if that is gone too), otherwise to the page heading. Otherwise the browser
 * leaves it on the body, and Tab restarts at the top. A closing dialog returns the focus in the next frame,
 * or one frame later with a screen reader. That takes precedence.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let last: Element | null = null;
    let rows: readonly (Element | null | undefined)[] = [];
    const remember = () => {
      last = document.activeElement;
      const row = last?.closest('tbody > tr');
      rows = [row, row?.nextElementSibling, row?.previousElementSibling];
    };
    const keep = () => {
      if (document.activeElement !== document.body) return;
      const row = rows.find((one) => one?.isConnected);
      if (!(row instanceof HTMLElement)) return document.querySelector('h1')?.focus();
      row.tabIndex = -1;
      row.focus();
    };
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      last = null;
      requestAnimationFrame(() => requestAnimationFrame(keep));
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    // A click on an empty part of the page removes the focus on purpose.
    document.addEventListener('click', remember);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('click', remember);
    };
  }, []);
}

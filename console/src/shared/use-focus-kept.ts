import { useEffect } from 'react';

/**
 * Moves the focus when the element that has it is removed, such as a button that no longer applies: in a table to its row, or to the
 * next one if the row is gone, else to the heading of the page. The browser would leave it on the body, from which Tab begins at the top of the page. A
 * dialog that closes returns the focus in the next frame, or for a screen reader in the one after that, which comes first.
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
    // A click beside everything takes the focus away on purpose.
    document.addEventListener('click', remember);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('click', remember);
    };
  }, []);
}

import { useEffect } from 'react';

/**
 * Moves the focus to the heading of the page when the element that has it is removed, such as a button that no longer
 * applies. The browser would leave it on the body, from which Tab begins at the top of the page.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let last: Element | null = null;
    const remember = () => {
      last = document.activeElement;
    };
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      last = null;
      document.querySelector('h1')?.focus();
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

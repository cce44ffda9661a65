import { useEffect } from 'react';

/**
 * Opens the search from everywhere: by Ctrl-K (on a Mac ⌘K) and, where nothing is typed into, by a slash, or by pasting what is to be
 * found.
 *
 * @param onSearch gets what was pasted
 */
export function useSearchAnywhere(onSearch: (text: string) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isShortcut(event) || isBusy()) return;
      event.preventDefault();
      onSearch('');
    };
    const paste = ({ target, clipboardData }: ClipboardEvent) => {
      const text = clipboardData?.getData('text').trim() ?? '';
      if (text !== '' && !isField(target) && !isBusy()) onSearch(text);
    };
    document.addEventListener('keydown', press);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener('paste', paste);
    };
  }, [onSearch]);
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k';
  return key === '/' && !isField(target);
}

const isField = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input:not([type=checkbox]), textarea, select');

/** Whether a dialog is open. */
const isBusy = () => document.querySelector('[role=dialog]') !== null;

import { useEffect } from 'react';

/**
 * Opens the search from anywhere: with Ctrl-K (⌘K on a Mac) and, outside of fields, with a slash or by pasting the text to
 * find.
 *
 * @param onSearch receives the pasted text
 * @param onHelp called for a question mark outside of fields
 */
export function useSearchAnywhere(onSearch: (text: string) => void, onHelp: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isHelp = event.key === '?' && !isField(event.target);
      if (!(isHelp || isShortcut(event)) || isBusy()) return;
      event.preventDefault();
      if (isHelp) onHelp();
      else onSearch('');
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
  }, [onSearch, onHelp]);
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

import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Dialog, preloadDialogs } from '../shared/dialog.js';
import { search as names } from './search-texts.js';
import styles from './search.module.css';

const load = () => import('./search-palette.js');
const SearchPalette = lazy(async () => ({ default: (await load()).SearchPalette }));

const preload = () => {
  preloadDialogs();
  void load().catch(() => undefined);
};

/** Opens the search; so do Ctrl-K (on a Mac ⌘K) and, where nothing is typed into, a slash. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (!isShortcut(event) || document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-keyshortcuts="Control+K Meta+K /"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen(true)}
      >
        <Search size={16} aria-hidden />
        {names.button}
        <kbd aria-hidden>{names.shortcut}</kbd>
      </button>
      {isOpen && (
        <Dialog title={names.title} onClose={() => setOpen(false)}>
          <Suspense fallback={null}>
            <SearchPalette onClose={() => setOpen(false)} />
          </Suspense>
        </Dialog>
      )}
    </>
  );
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k';
  const isTyped = target instanceof Element && target.matches('input, textarea, select');
  return key === '/' && !isTyped;
}

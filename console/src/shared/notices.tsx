import { useSyncExternalStore } from 'react';
import { texts } from '../texts.js';
import styles from './notices.module.css';
import buttons from './ui/button.module.css';

let notice: string | null = null;
const listeners = new Set<() => void>();

/** Shows what has happened, and has assistive technology say it. The next notice, or the next page, replaces it. */
export function notify(text: string | null): void {
  notice = text;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The live region of what the user has done. */
export function Notice() {
  const text = useSyncExternalStore(subscribe, () => notice);
  return (
    <div role="status" className={styles.region}>
      {text !== null && (
        <p className={styles.notice}>
          {text}
          <button type="button" className={buttons.quiet} onClick={() => notify(null)}>
            {texts.dismiss}
          </button>
        </p>
      )}
    </div>
  );
}

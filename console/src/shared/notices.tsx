import { useSyncExternalStore } from 'react';
import { texts } from '../texts.js';
import styles from './notices.module.css';
import buttons from './ui/button.module.css';

let notice: string | null = null;
const listeners = new Set<() => void>();

/** Shows a notice, which screen readers announce. The next notice or page replaces it. */
export function notify(text: string | null): void {
  notice = text;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The live region for notices. */
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

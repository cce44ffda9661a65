import { type ReactNode, useSyncExternalStore } from 'react';
import { texts } from '../texts.js';
import styles from './notices.module.css';
import buttons from './ui/button.module.css';

interface Shown {
  readonly text: string;
  /** An action offered with the notice. */
  readonly action: ReactNode;
}

let notice: Shown | null = null;
const listeners = new Set<() => void>();

/** Shows a notice, which screen readers announce. The next notice or page replaces it. */
export function notify(text: string | null, action: ReactNode = null): void {
  notice = text === null ? null : { text, action };
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The live region for notices. */
export function Notice() {
  const shown = useSyncExternalStore(subscribe, () => notice);
  return (
    <div role="status" className={styles.region}>
      {shown && (
        <div className={styles.notice}>
          <p className={styles.text}>{shown.text}</p>
          {shown.action}
          <button type="button" className={buttons.quiet} onClick={() => notify(null)}>
            {texts.dismiss}
          </button>
        </div>
      )}
    </div>
  );
}

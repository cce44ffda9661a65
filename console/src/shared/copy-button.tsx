import { useState } from 'react';
import { texts } from '../texts.js';
import buttons from './ui/button.module.css';
import muted from './ui/muted.module.css';
import hidden from './ui/visually-hidden.module.css';
import styles from './copy-button.module.css';

interface Props {
  readonly label: string;
  /** Resolves to the text to copy, or to null after it has shown its own error. */
  readonly text: () => Promise<string | null>;
  /** Called with the text if the browser blocks copying to the clipboard. */
  readonly onFail?: (text: string) => void;
  /** Whether it is the main action of a dialog. */
  readonly isPrimary?: boolean;
}

export function CopyButton({ label, text, onFail, isPrimary }: Props) {
  const [outcome, setOutcome] = useState<keyof typeof texts.copy | null>(null);
  const copy = async () => {
    // Screen readers announce an outcome again only if it was cleared first.
    setOutcome(null);
    const content = await text();
    if (content === null) return;
    try {
      // Browsers offer a clipboard only over HTTPS or on localhost.
      await navigator.clipboard.writeText(content);
      setOutcome('done');
    } catch {
      onFail?.(content);
      setOutcome('failed');
    }
  };
  return (
    <>
      <button
        type="button"
        autoFocus={isPrimary}
        className={isPrimary ? `${buttons.primary} ${styles.copy}` : styles.copy}
        data-copied={outcome === 'done'}
        onClick={() => void copy()}
      >
        {label}
      </button>
      {/* Placed next to its button, because a live region outside an open dialog is silent. */}
      <span role="status" className={outcome === 'failed' ? muted.muted : hidden.hidden}>
        {outcome && texts.copy[outcome]}
      </span>
    </>
  );
}

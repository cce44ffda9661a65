import { useState } from 'react';
import { texts } from '../texts.js';
import buttons from './ui/button.module.css';
import muted from './ui/muted.module.css';
import hidden from './ui/visually-hidden.module.css';
import styles from './copy-button.module.css';

interface Props {
  readonly label: string;
  /** Resolves to what is copied. It shows its own failures, and resolves to null then. */
  readonly text: () => Promise<string | null>;
  /** Called with the text where the browser does not allow copying. */
  readonly onFail?: (text: string) => void;
  /** Whether it is what a dialog is for. */
  readonly isPrimary?: boolean;
}

export function CopyButton({ label, text, onFail, isPrimary }: Props) {
  const [outcome, setOutcome] = useState<keyof typeof texts.copy | null>(null);
  const copy = async () => {
    // Assistive technology says the same outcome again only if it was gone.
    setOutcome(null);
    const content = await text();
    if (content === null) return;
    try {
      // Browsers have a clipboard on pages that came by HTTPS, or from this machine.
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
      {/* Beside its button: a live region outside an open dialog is silent. */}
      <span role="status" className={outcome === 'failed' ? muted.muted : hidden.hidden}>
        {outcome && texts.copy[outcome]}
      </span>
    </>
  );
}

import { useId } from 'react';
import { texts } from '../texts.js';
import styles from './fields.module.css';

/** A text as a browser shows it: with repeated spaces collapsed and Unicode normalized. */
const asShown = (text: string): string => text.normalize().trim().replaceAll(/\s+/g, ' ');

/** Confirms an action that affects several records: the form can't be submitted without the name. */
export function TypedName({ name }: { readonly name: string }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{texts.confirmation.type(name)}</label>
      {/* The input has no name, so drafts ignore it. */}
      <input
        id={id}
        type="text"
        required
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) =>
          target.setCustomValidity(
            asShown(target.value) === asShown(name) ? '' : texts.confirmation.mismatch(name),
          )
        }
      />
    </div>
  );
}

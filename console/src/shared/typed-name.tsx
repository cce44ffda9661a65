import { useId } from 'react';
import { texts } from '../texts.js';
import styles from './fields.module.css';

/** A text as a browser shows it: with one space where it has several, and letters however they are composed. */
const asShown = (text: string): string => text.normalize().trim().replaceAll(/\s+/g, ' ');

/** A field in which somebody confirms what takes several records with it: the form is not submitted without the name. */
export function TypedName({ name }: { readonly name: string }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{texts.confirmation.type(name)}</label>
      {/* Without a name of its own, it belongs to no draft. */}
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

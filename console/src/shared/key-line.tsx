import type { ReactNode } from 'react';
import styles from './key-line.module.css';

interface Props {
  readonly name: string;
  readonly text: string;
  /** Its buttons. */
  readonly children?: ReactNode;
}

/** A key or a secret. One click selects all of it. */
export const KeyLine = ({ name, text, children }: Props) => (
  <div className={styles.key}>
    <output aria-label={name}>{text}</output>
    {children}
  </div>
);

import type { ReactNode } from 'react';
import styles from './key-line.module.css';

interface Props {
  readonly name: string;
  readonly text: string;
  /** What can be done with it. */
  readonly children?: ReactNode;
}

/** A key or a secret, which one click selects whole. */
export const KeyLine = ({ name, text, children }: Props) => (
  <div className={styles.key}>
    <output aria-label={name}>{text}</output>
    {children}
  </div>
);

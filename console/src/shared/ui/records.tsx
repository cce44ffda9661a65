import type { ReactNode } from 'react';
import styles from './records.module.css';

/** The records that a dialog affects, as a list. */
export const Records = ({ children }: { readonly children: ReactNode }) => (
  <ul className={styles.records}>{children}</ul>
);

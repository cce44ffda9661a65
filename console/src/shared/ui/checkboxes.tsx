import type { ReactNode } from 'react';
import styles from './checkboxes.module.css';

/** Boxes with short labels, several in a row. */
export const Checkboxes = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.checkboxes}>{children}</div>
);

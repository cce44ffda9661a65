import type { ReactNode } from 'react';
import styles from './field-row.module.css';

/** Fields that belong together, side by side if there is room. */
export const FieldRow = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.row}>{children}</div>
);

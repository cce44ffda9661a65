import type { ReactNode } from 'react';
import styles from './columns.module.css';

/** Two parts side by side if there is room, the first one wider. */
export const Columns = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
);

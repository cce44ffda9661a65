import type { ReactNode } from 'react';
import styles from './actions.module.css';

/** Buttons side by side, below a form or the text of a dialog. */
export const Actions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);

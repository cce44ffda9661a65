import type { ReactNode } from 'react';
import styles from './narrow-main.module.css';

/** A page on its own, without the sidebar. */
export const NarrowMain = ({ children }: { readonly children: ReactNode }) => (
  <main className={styles.main}>{children}</main>
);

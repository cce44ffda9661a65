import type { ReactNode } from 'react';
import styles from './narrow-main.module.css';

/** A page by itself, without the sidebar. */
export const NarrowMain = ({ children }: { readonly children: ReactNode }) => (
  <main className={styles.main}>{children}</main>
);

import type { ReactNode } from 'react';
import styles from './timeline.module.css';

/** Events one below the other, newest first. */
export const Timeline = ({ children }: { readonly children: ReactNode }) => (
  <ol className={styles.timeline}>{children}</ol>
);

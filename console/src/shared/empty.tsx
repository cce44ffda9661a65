import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface Props {
  readonly title: string;
  readonly details?: string | undefined;
  /** What to do first. */
  readonly children?: ReactNode;
}

/** In place of a list that is empty. */
export function Empty({ title, details, children }: Props) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {details && <p>{details}</p>}
      {children}
    </div>
  );
}

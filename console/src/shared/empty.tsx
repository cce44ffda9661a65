import type { ReactNode } from 'react';
import { type Operation, useMay } from '../api/use-may.js';
import styles from './empty.module.css';

interface Props {
  readonly title: string;
  readonly details?: string | undefined;
  /** The operation behind the suggested action; users who may not call it don't see the details. */
  readonly operation?: Operation;
  /** What to do first. */
  readonly children?: ReactNode;
}

/** Shown instead of an empty list. */
export function Empty({ title, details, operation, children }: Props) {
  const may = useMay();
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {details && (!operation || may(operation)) && <p>{details}</p>}
      {children}
    </div>
  );
}

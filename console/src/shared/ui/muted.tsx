import type { ReactNode } from 'react';
import styles from './muted.module.css';

interface Props {
  readonly id?: string;
  /** Whether it is inline. */
  readonly isInline?: boolean;
  readonly children: ReactNode;
}

/** Secondary text. */
export const Muted = ({ id, isInline, children }: Props) => {
  const Tag = isInline ? 'span' : 'p';
  return (
    <Tag id={id} className={styles.muted}>
      {children}
    </Tag>
  );
};

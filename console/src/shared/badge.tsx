import type { ReactNode } from 'react';
import styles from './badge.module.css';

interface Props {
  /** The status of a license of which it has the look. */
  readonly look: 'pending' | 'active' | 'expired' | 'suspended' | 'revoked';
  readonly children: ReactNode;
}

/** A status, by a word, a colour and a shape. */
export const Badge = ({ look, children }: Props) => (
  <span className={[styles.badge, styles[look]].filter(Boolean).join(' ')}>{children}</span>
);

import type { ReactNode } from 'react';
import styles from './badge.module.css';

interface Props {
  /** The license status whose look it has. */
  readonly look: 'pending' | 'active' | 'expired' | 'suspended' | 'revoked';
  readonly children: ReactNode;
}

/** A status, by a word, a colour and a shape. */
export const Badge = ({ look, children }: Props) => (
  <span className={[styles.badge, styles[look]].filter(Boolean).join(' ')}>{children}</span>
);

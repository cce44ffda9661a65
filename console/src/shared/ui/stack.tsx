import type { ReactNode } from 'react';
import styles from './stack.module.css';

interface Props {
  /** Whether the parts belong together. */
  readonly isTight?: boolean;
  readonly children: ReactNode;
}

/** Stacks its children vertically. */
export const Stack = ({ isTight, children }: Props) => (
  <div className={isTight ? styles.tight : styles.stack}>{children}</div>
);

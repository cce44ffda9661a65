import type { ReactNode } from 'react';
import { Actions } from './actions.js';
import styles from './foot.module.css';

interface Props {
  /** Notes about the outcome. */
  readonly notes?: ReactNode;
  /** Its buttons. */
  readonly children: ReactNode;
}

/** The foot of a form or a dialog. */
export const Foot = ({ notes, children }: Props) => (
  <div className={styles.foot}>
    {notes}
    <Actions>{children}</Actions>
  </div>
);

import type { ReactNode } from 'react';
import styles from './panel.module.css';

interface Props {
  readonly label: string;
  readonly id?: string;
  readonly children: ReactNode;
}

/** A part of a page, in a frame. */
export const Panel = ({ label, id, children }: Props) => (
  <section id={id} className={styles.panel} aria-label={label}>
    {children}
  </section>
);

interface HeadProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** The heading of a part, and its buttons. */
export const PanelHead = ({ title, children }: HeadProps) => (
  <div className={styles.head}>
    <h2>{title}</h2>
    {children}
  </div>
);

import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** The facts about a record: {@link Fact}s, one below the other. */
export const Facts = ({ children }: { readonly children: ReactNode }) => (
  <dl className={styles.facts}>{children}</dl>
);

export const Fact = ({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

import type { ReactNode } from 'react';

interface Props {
  readonly name: string;
  readonly children: ReactNode;
}

/** A part in one or more states, below its name. */
export const Part = ({ name, children }: Props) => (
  <section className="panel" aria-label={name}>
    <h2>{name}</h2>
    {children}
  </section>
);

import type { ReactNode } from 'react';
import { Panel } from '../src/shared/ui/panel.js';

interface Props {
  readonly name: string;
  readonly children: ReactNode;
}

/** A part in one or more states, below its name. */
export const Part = ({ name, children }: Props) => (
  <Panel label={name}>
    <h2>{name}</h2>
    {children}
  </Panel>
);

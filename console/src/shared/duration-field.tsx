import type { ChangeEventHandler } from 'react';
import { texts } from '../texts.js';
import { TextField } from './fields.js';

interface Props {
  /** Of the operation that the form submits. */
  readonly limits: { readonly name: 'duration'; readonly min: number; readonly max: number };
  readonly initial?: number | undefined;
  readonly hint?: string;
  readonly onChange?: ChangeEventHandler<HTMLInputElement>;
}

/** For how many months a license is issued or renewed. */
export const DurationField = ({ limits, initial = limits.max, hint, onChange }: Props) => (
  <TextField
    label={texts.duration}
    hint={hint}
    {...limits}
    required
    defaultValue={initial}
    onChange={onChange}
  />
);

export const durationOf = (fields: FormData): number => Number(fields.get('duration'));

import type { ChangeEventHandler } from 'react';
import { texts } from '../texts.js';
import { TextField } from './fields.js';

interface Props {
  /** The limits from the operation that the form submits. */
  readonly limits: { readonly name: 'duration'; readonly min: number; readonly max: number };
  readonly initial?: number | undefined;
  readonly hint?: string;
  readonly onChange?: ChangeEventHandler<HTMLInputElement>;
}

/** The term of a license in months. */
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

import type { ComponentProps } from 'react';
import { TextField } from '../shared/fields.js';
import { useFollowValue } from '../shared/follow-value.js';

type Props = Omit<ComponentProps<typeof TextField>, 'value' | 'defaultValue'> & {
  readonly value: string;
  readonly onCommit: (text: string) => void;
};

/** A text filter. It applies on Enter and on blur. */
export function FilterField({ value, onCommit, ...field }: Props) {
  const { input, sent } = useFollowValue(value);
  const commit = (text: string) => {
    if (text === sent.current) return;
    sent.current = text;
    onCommit(text);
  };
  return (
    <TextField
      {...field}
      ref={input}
      defaultValue={value}
      autoComplete="off"
      onBlur={({ target }) => {
        if (target.validity.valid) commit(target.value);
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter' && currentTarget.reportValidity()) commit(currentTarget.value);
      }}
    />
  );
}

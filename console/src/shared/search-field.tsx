import { useEffect, useRef } from 'react';
import { texts } from '../texts.js';
import { useFollowValue } from './follow-value.js';
import { VisuallyHidden } from './ui/visually-hidden.js';
import styles from './search-field.module.css';

/** Searches the list after this many milliseconds without a keystroke. */
const PAUSE = 200;

interface Props {
  /** The limits of the search parameter. */
  readonly limits: {
    readonly name: 'search';
    readonly minLength: number;
    readonly maxLength: number;
  };
  readonly hint: string;
  readonly initial: string;
  readonly onSearch: (text: string) => void;
}

export function SearchField({ limits, hint, initial, onSearch }: Props) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { input, sent } = useFollowValue(initial);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = () => {
    const text = input.current?.value.trim() ?? '';
    if (text === sent.current) return;
    sent.current = text;
    onSearch(text);
  };
  const searchLater = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(search, PAUSE);
  };
  return (
    <label className={styles.search}>
      <VisuallyHidden>{texts.search}</VisuallyHidden>
      <input
        ref={input}
        {...limits}
        type="search"
        defaultValue={initial}
        placeholder={hint}
        autoComplete="off"
        onChange={searchLater}
      />
    </label>
  );
}

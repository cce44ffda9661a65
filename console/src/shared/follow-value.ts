import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps an uncontrolled input in step with a value in the URL. A value from elsewhere, such as a link,
 * replaces the typed text.
 *
 * @returns the input, and the last text sent, which the caller sets
 */
export function useFollowValue(value: string): {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly sent: RefObject<string>;
} {
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    if (input.current) input.current.value = value;
  }, [value]);
  return { input, sent };
}

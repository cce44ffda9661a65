import { type RefObject, useEffect } from 'react';

/**
 * Moves the focus into a form when a dialog opens: to its first field, or to its first button if it has none. Enter
 * must never do what can't be undone, so a dangerous form that requires no input starts at Cancel.
 */
export function useFirstFocus(
  form: RefObject<HTMLFormElement | null>,
  isDangerous: boolean | undefined,
): void {
  useEffect(() => {
    if (!form.current?.closest('[role=dialog]')) return;
    const field = form.current.querySelector<HTMLElement>(
      'input:not([type=hidden]), select, textarea',
    );
    const isRisky = isDangerous && !field?.matches(':required');
    const button = form.current.querySelector<HTMLElement>('div:has(> [type=submit]) > button');
    ((isRisky ? null : field) ?? button)?.focus();
  }, [form, isDangerous]);
}

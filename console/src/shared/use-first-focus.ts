import { type RefObject, useEffect } from 'react';

/**
 * Moves the focus into a form when a dialog opens: to its first field, or to its first button where it has none. Enter
 * must not do what cannot be undone, so a dangerous form that requires no input begins at Cancel.
 */
export function useFirstFocus(
  form: RefObject<HTMLFormElement | null>,
  isDangerous: boolean | undefined,
): void {
  useEffect(() => {
    if (!form.current?.closest('[role=dialog]')) return;
    const field = form.current.querySelector<HTMLElement>('input, select, textarea');
    const isRisky = isDangerous && !field?.matches(':required');
    const button = form.current.querySelector<HTMLElement>('div:has(> [type=submit]) > button');
    ((isRisky ? null : field) ?? button)?.focus();
  }, [form, isDangerous]);
}

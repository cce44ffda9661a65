import { type RefObject, useEffect } from 'react';

/**
 * Moves the focus into a form when a dialog opens: to its first field, or to its first button if it has no
 * fields. Enter must never do something irreversible, so a dangerous form without required input starts at
 * Cancel.
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

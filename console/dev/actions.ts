import type { Action } from '../src/shared/ui/action-menu.js';

const action = (label: string, isDangerous: boolean): Action => ({
  label,
  operation: 'renewLicense',
  isDangerous,
  dialog: { title: label, content: () => 'The content of the dialog' },
});

/** Actions of a record. The last one can't be undone. */
export const ACTIONS = [action('Suspend', false), action('Revoke', true)];

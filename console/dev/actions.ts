import type { Action } from '../src/shared/ui/action-menu.js';

const action = (label: string): Action => ({
  label,
  operation: 'renewLicense',
  dialog: { title: label, content: () => 'The content of the dialog' },
});

/** Actions of a record. */
export const ACTIONS = [action('Suspend'), action('Revoke')];

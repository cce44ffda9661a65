import type { License } from '../api/types.js';

/** The end of a key, as the service shows it: tells the license from others without showing the key. */
export const hintOf = ({ keyHint }: Pick<License, 'keyHint'>): string => `•••• ${keyHint}`;

/** What a license is called where a dialog or a button speaks of it. */
export const nameOf = (license: License): string =>
  [hintOf(license), license.clientName, license.projectName].filter(Boolean).join(' · ');

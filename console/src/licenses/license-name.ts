import type { License } from '../api/types.js';

/** The end of a key, as the service shows it: tells the license from others without showing the key. */
export const hintOf = ({ keyHint }: Pick<License, 'keyHint'>): string => `•••• ${keyHint}`;

/** Names that are written from right to left would change places with each other. */
const isolated = (name: string | null) =>
  name && /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;

/** What a license is called where a dialog or a button speaks of it. */
export const nameOf = (license: License): string =>
  [hintOf(license), isolated(license.clientName), isolated(license.projectName)]
    .filter(Boolean)
    .join(' · ');

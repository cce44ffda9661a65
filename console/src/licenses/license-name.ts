import type { License } from '../api/types.js';

/** The last characters of a key. They identify the license without showing the key. */
export const hintOf = ({ keyHint }: Pick<License, 'keyHint'>): string => `•••• ${keyHint}`;

/** Without isolation, two right-to-left names would swap places. */
const isolated = (name: string | null) =>
  name && /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;

/** The name of a license in dialogs and buttons. */
export const nameOf = (license: License): string =>
  [hintOf(license), isolated(license.clientName), isolated(license.projectName)]
    .filter(Boolean)
    .join(' · ');

import type { License } from '../api/types.js';

/** The end of a key: tells the license from others without showing it. */
export const hintOf = ({ keyHint }: Pick<License, 'keyHint'>): string => `…${keyHint}`;

/** What a license is called where a dialog or a button speaks of it. */
export const nameOf = ({ keyHint, clientName, projectName }: License): string =>
  [`…${keyHint}`, clientName, projectName].filter(Boolean).join(' · ');

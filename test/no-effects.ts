import type { Effects } from '../src/storage/effects.js';

/** Changes cause nothing besides themselves. */
export const NO_EFFECTS: Effects = { of: () => Promise.resolve([]) };

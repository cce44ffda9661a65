/**
 * `TEST_SCOPE=full`, set by CI, runs every test, with every engine, case and round. The default scope is for each change: it takes about
 * a minute on two cores.
 */
export const IS_FULL = process.env.TEST_SCOPE === 'full';

/** Rounds of a race, or requests of a load: the given number in the full scope, otherwise a tenth. */
export const timesInScope = (full: number): number => (IS_FULL ? full : Math.ceil(full / 10));

/** Cases that take the same path through the code: all in the full scope, otherwise every fifth. */
export const casesInScope = <Case>(cases: readonly Case[]): Case[] =>
  cases.filter((_case, index) => IS_FULL || index % 5 === 0);

/**
 * `TEST_SCOPE=full`, which CI sets: every test, on every engine, with every case and in all of its rounds. The default scope is for each
 * change: a minute and a half on two cores.
 */
export const IS_FULL = process.env.TEST_SCOPE === 'full';

/** The number of rounds of a race, or of requests of a load: the given number in the full scope, a tenth of it otherwise. */
export const timesInScope = (full: number): number => (IS_FULL ? full : Math.ceil(full / 10));

/** Of cases that take one way through the code: all in the full scope, every fifth otherwise. */
export const casesInScope = <Case>(cases: readonly Case[]): Case[] =>
  cases.filter((_case, index) => IS_FULL || index % 5 === 0);

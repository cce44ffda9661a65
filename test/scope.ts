/**
 * `TEST_SCOPE=full`, which CI sets: every test, on every engine, with every case and in all of its rounds. The default scope is for each
 * change: two minutes on two cores.
 */
export const IS_FULL = process.env.TEST_SCOPE === 'full';

/**
 * `TEST_SCOPE=sqlite`: the default scope, and all tests of the built program that need SQLite alone. CI sets it where
 * another version of Node runs the tests again.
 */
const IS_ON_SQLITE = process.env.TEST_SCOPE === 'sqlite';

/** The number of rounds of a race, or of requests of a load: the given number in the full scope, a fifth of it otherwise. */
export const timesInScope = (full: number): number => (IS_FULL ? full : Math.ceil(full / 5));

/** Of cases that take one way through the code: all in the full scope, every fifth otherwise. */
export const casesInScope = <Case>(cases: readonly Case[]): Case[] =>
  cases.filter((_case, index) => IS_FULL || index % 5 === 0);

/**
 * For tests that wait for a timeout, an outage or a drain, kill a process amid a load, or use a browser: skipped but in
 * the full scope.
 */
export const describeInFull = IS_FULL ? describe : describe.skip;

/** For tests that start the built program again and again: skipped by default. CI runs them on every version of Node. */
export const describeOnEachNode = IS_FULL || IS_ON_SQLITE ? describe : describe.skip;

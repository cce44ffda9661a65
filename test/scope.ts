/** `TEST_SCOPE=full`, which CI sets: every test on every engine and with every example program, every race in all of its rounds. */
export const IS_FULL = process.env.TEST_SCOPE === 'full';

/** The number of rounds of a race, or of requests of a load: the given number in the full scope, a fifth of it otherwise. */
export const timesInScope = (full: number): number => (IS_FULL ? full : Math.ceil(full / 5));

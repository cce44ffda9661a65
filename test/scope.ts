/** `TEST_SCOPE=full`, which CI sets: every test on every engine and with every example program, every race in all of its rounds. */
export const IS_FULL = process.env.TEST_SCOPE === 'full';

/** How often to try what chance decides, or how many to send: so many in the full scope, else a fifth of them. */
export const timesInScope = (full: number): number => (IS_FULL ? full : Math.ceil(full / 5));

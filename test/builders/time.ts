const START = Date.UTC(2026, 0, 31, 10, 20, 30, 456);

/** A fixed time, `minutes` later. */
export const at = (minutes: number): Date => new Date(START + minutes * 60_000);

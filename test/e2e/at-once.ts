import type { HttpResponse } from '../http-caller.js';

/** Does the same this many times at once. */
export const atOnce = <T>(count: number, what: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => what(index)));

export const statusesOf = (responses: readonly HttpResponse[]): number[] =>
  responses.map(({ status }) => status);

/** How many of these responses there are, by the code of their error, or by the status of a success. */
export const countsOf = (responses: readonly HttpResponse[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of responses) {
    const outcome = body?.code ?? status;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

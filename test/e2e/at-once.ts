import type { HttpResponse } from '../http-caller.js';

/** Does the same this many times at once. */
export const atOnce = <T>(count: number, what: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => what(index)));

export const statusesOf = (responses: readonly HttpResponse[]): number[] =>
  responses.map(({ status }) => status);

/** How many of these responses there are, by status. */
export const countsOf = (responses: HttpResponse[]) => {
  const counts: Record<number, number> = {};
  for (const status of statusesOf(responses)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

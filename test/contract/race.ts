/** Runs two calls at the same time. Which of them begins first alternates with the rounds. */
export async function race<A, B>(
  round: number,
  one: () => Promise<A>,
  other: () => Promise<B>,
): Promise<readonly [A, B]> {
  if (round % 2) return Promise.all([one(), other()]);
  const [second, first] = await Promise.all([other(), one()]);
  return [first, second];
}

/** Runs a call 20 times at the same time. */
export const twenty = <T>(call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, index) => call(index)));

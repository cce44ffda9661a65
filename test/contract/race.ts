/** Lets two things happen at once; which one begins first alternates with the rounds. */
export async function race<A, B>(
  round: number,
  one: () => Promise<A>,
  other: () => Promise<B>,
): Promise<readonly [A, B]> {
  if (round % 2) return Promise.all([one(), other()]);
  const [second, first] = await Promise.all([other(), one()]);
  return [first, second];
}

/** Lets 20 do the same thing at once. */
export const twenty = <T>(what: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, index) => what(index)));

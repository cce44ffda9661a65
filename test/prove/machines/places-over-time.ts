/** A time in which a machine certainly had a place: from the response that gave it until the request that could end it. */
export interface Held {
  readonly from: number;
  readonly until: number;
}

/** The most places that machines certainly had at the same time. */
export function mostAtOnce(held: readonly Held[]): number {
  const moves = held
    .filter(({ from, until }) => from < until)
    .flatMap(({ from, until }) => [
      { at: from, by: 1 },
      { at: until, by: -1 },
    ]);
  // An end comes before a beginning at the same time: both are not certain then.
  moves.sort((a, b) => a.at - b.at || a.by - b.by);
  let now = 0;
  let most = 0;
  for (const { by } of moves) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

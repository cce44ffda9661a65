/** The median of some numbers, and how far they are spread. */
export interface Summary {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function summary(numbers: readonly number[]): Summary {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [lower, upper] = [sorted.length - 1, sorted.length].map((n) => sorted[Math.floor(n / 2)]!);
  return { median: (lower! + upper!) / 2, least: sorted[0]!, most: sorted.at(-1)! };
}

/** A figure of the service, and its reference. */
export interface Comparison {
  readonly service: Summary;
  readonly reference: Summary;
  /** Of the ratios of the rounds. */
  readonly ratio: Summary;
}

/**
 * Measures the service and its reference in turns, so that other work on the machine affects both alike.
 *
 * @param rounds after a first one, which warms up and has this number
 */
export async function compare(
  rounds: number,
  service: (round: number) => Promise<number>,
  reference: (round: number) => Promise<number>,
): Promise<Comparison> {
  await service(rounds);
  await reference(rounds);
  const measured = { service: [] as number[], reference: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    // The order alternates, too: neither is always first.
    const order = ['service', 'reference'] as const;
    for (const side of round % 2 === 0 ? order : order.toReversed()) {
      measured[side].push(await (side === 'service' ? service : reference)(round));
    }
  }
  const ratios = measured.service.map((value, round) => value / measured.reference[round]!);
  const [of, to] = [summary(measured.service), summary(measured.reference)];
  return { service: of, reference: to, ratio: summary(ratios) };
}

/** The median of some numbers, and their spread. */
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

/** A figure for the service, and its reference. */
export interface Comparison {
  readonly service: Summary;
  readonly reference: Summary;
  /** Of the ratios per round. */
  readonly ratio: Summary;
}

/**
 * Alternates between the service and its reference, so that other work on the machine affects both alike.
 *
 * @param rounds excluding a warm-up round, which has this number
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
    // Alternates the order, so that neither is always first.
    const order = ['service', 'reference'] as const;
    for (const side of round % 2 === 0 ? order : order.toReversed()) {
      measured[side].push(await (side === 'service' ? service : reference)(round));
    }
  }
  const ratios = measured.service.map((value, round) => value / measured.reference[round]!);
  const [of, to] = [summary(measured.service), summary(measured.reference)];
  return { service: of, reference: to, ratio: summary(ratios) };
}

type Target = { readonly least: number } | { readonly most: number };
export const atLeast = (least: number): Target => ({ least });
export const atMost = (most: number): Target => ({ most });

/** A row of the table. */
export interface Row {
  readonly measured: string;
  /** The reference, if the value is a ratio. */
  readonly against: string;
  readonly unit: string;
  readonly target: Target;
  readonly value: Summary;
  /** What the ratio compares. */
  readonly service?: string;
  readonly reference?: string;
}

export const ratio = (
  measured: string,
  against: string,
  target: Target,
  { ratio: value, service, reference }: Comparison,
): Row => ({
  ...{ measured, against, unit: '', target, value },
  ...{ service: figure(service.median), reference: figure(reference.median) },
});

export const value = (measured: string, target: Target, unit: string, value: Summary): Row => ({
  ...{ measured, against: '', unit, target, value },
});

const figure = (number: number) => number.toFixed(number >= 10 ? 0 : 2);

const isMet = ({ value: { median }, target }: Row) =>
  'least' in target ? median >= target.least : median <= target.most;

const HEAD = ['measured', 'against', 'target', 'result', 'spread', 'service', 'reference'];

/** The rows as Markdown; a result that misses its target is bold. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const { measured, against, unit, target, value, service = '', reference = '' } = row;
    const toReach = 'least' in target ? `>= ${target.least}` : `<= ${target.most}`;
    const median = `${figure(value.median)} ${unit}`.trim();
    const spread = `${figure(value.least)} to ${figure(value.most)}`;
    const result = isMet(row) ? median : `**${median}**`;
    return [measured, against, `${toReach} ${unit}`.trim(), result, spread, service, reference];
  });
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
  return [HEAD, HEAD.map(() => '---'), ...cells].map(line).join('\n');
}

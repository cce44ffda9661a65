import { ROUNDS } from './runs.js';

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

/**
 * The ratios per round of a figure for the service and for its reference. Alternates between them, so that other work on the machine
 * affects both alike. A warm-up round comes first.
 */
export async function compare(
  service: (round: number) => Promise<number>,
  reference: (round: number) => Promise<number>,
): Promise<Summary> {
  await service(ROUNDS);
  await reference(ROUNDS);
  const measured = { service: [] as number[], reference: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    // Alternates the order, so that neither is always first.
    const order = ['service', 'reference'] as const;
    for (const side of round % 2 === 0 ? order : order.toReversed()) {
      measured[side].push(await (side === 'service' ? service : reference)(round));
    }
  }
  return summary(measured.service.map((value, round) => value / measured.reference[round]!));
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
}

export const ratio = (measured: string, against: string, target: Target, value: Summary): Row => {
  return { measured, against, unit: '', target, value };
};

export const value = (measured: string, target: Target, unit: string, value: Summary): Row => {
  return { measured, against: '', unit, target, value };
};

const figure = (number: number) => number.toFixed(number >= 10 ? 0 : 2);

const isMet = ({ value: { median }, target }: Row) =>
  'least' in target ? median >= target.least : median <= target.most;

const HEAD = ['measured', 'against', 'target', 'result', 'spread'];

/** The rows as Markdown; a result that misses its target is bold. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const { measured, against, unit, target, value } = row;
    const toReach = 'least' in target ? `>= ${target.least}` : `<= ${target.most}`;
    const median = `${figure(value.median)} ${unit}`.trim();
    const spread = `${figure(value.least)} to ${figure(value.most)}`;
    const result = isMet(row) ? median : `**${median}**`;
    return [measured, against, `${toReach} ${unit}`.trim(), result, spread];
  });
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
  return [HEAD, HEAD.map(() => '---'), ...cells].map(line).join('\n');
}

import type { Comparison, Summary } from '../statistics.js';

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
  /** What the ratio is of. */
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

const HEAD = ['measured', 'against', 'to reach', 'result', 'spread', 'service', 'reference'];

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
  const widths = HEAD.map((_, at) => Math.max(...[HEAD, ...cells].map((line) => line[at]!.length)));
  const line = (texts: readonly string[], fill = ' ') =>
    `| ${texts.map((text, at) => text.padEnd(widths[at]!, fill)).join(' | ')} |`;
  return [
    line(HEAD),
    line(
      HEAD.map(() => ''),
      '-',
    ),
    ...cells.map((each) => line(each)),
  ].join('\n');
}

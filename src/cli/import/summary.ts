import type { ImportExcess, ImportResult } from '../../imports/dto/import.dto.js';
import type { Warning } from '../../imports/prepared-row.js';
import { type ErrorCode, ERRORS } from '../../shared/errors/error-codes.js';

/** Maximum number of rows and products listed for each problem. */
const SHOWN = 10;

const WARNING_TEXTS: Readonly<Record<Warning, string>> = {
  KEY_WEAK: 'The key is short enough to be guessed.',
  ROUNDED_TO_DAYS: 'The term was rounded up to whole days.',
  METADATA_CUT: 'Some metadata is too long and was cut.',
  ADDRESS_MADE_UP: 'The client has no email address and gets a placeholder.',
  MACHINES_RAISED: 'The license has more machines than it allows: its limit was raised.',
  MACHINES_NOT_IMPORTED: 'Some machines have no usable fingerprint, or the license was never used.',
};

/** A problem of many rows: what it means, how often it occurs, and the first rows that have it. */
interface Found {
  readonly text: string;
  count: number;
  readonly first: string[];
}

/** Counts the outcomes of all rows for the operator. */
export class Summary {
  rows = 0;
  private readonly outcomes = new Map<string, number>();
  private readonly codes = new Map<string, Found>();

  add(results: readonly ImportResult[]): void {
    for (const { outcome, code, field, ref, warnings } of results) {
      this.rows += 1;
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      for (const one of code ? [code] : warnings) {
        const name = field ? `${one} (${field})` : one;
        const found = this.codes.get(name) ?? { text: textOf(one), count: 0, first: [] };
        this.codes.set(name, found);
        found.count += 1;
        if (found.count <= SHOWN) found.first.push(`row ${this.rows}${ref ? `, ${ref}` : ''}`);
      }
    }
  }

  get isComplete(): boolean {
    return !this.outcomes.has('rejected') && !this.outcomes.has('deferred');
  }

  get lines(): string[] {
    const counts = [...this.outcomes].map(
      ([name, count]) => `${String(count).padStart(8)} ${name}`,
    );
    const codes = [...this.codes].flatMap(([code, { text, count, first }]) => [
      `${code}: ${count}. ${text}`,
      ...first.map((one) => `  ${one}`),
    ]);
    return [...counts, ...codes];
  }
}

function textOf(code: ErrorCode | Warning): string {
  if (code in WARNING_TEXTS) return WARNING_TEXTS[code as Warning];
  const { message, details } = ERRORS[code as ErrorCode];
  return [`${message}.`, details].filter(Boolean).join(' ');
}

export function excessLine(excess: ImportExcess): string {
  const over = Object.entries(excess).map(([name, count]) => `${count} ${name}`);
  return `Nothing was imported: the quotas would be exceeded by ${over.join(', ')}.`;
}

/** @param unmapped the number of rows for each product that the map does not name */
export function unmappedLines(unmapped: ReadonlyMap<string, number>): string[] {
  if (unmapped.size === 0) return [];
  const first = [...unmapped].slice(0, SHOWN).map(([name, rows]) => `  ${name}: ${rows}`);
  return [`Products missing from the map: ${unmapped.size}; with their rows:`, ...first];
}

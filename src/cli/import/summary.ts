import type { ImportExcess, ImportResult } from '../../imports/dto/import.dto.js';

/** Maximum number of rows and products listed for each problem. */
const SHOWN = 10;

/** A problem of many rows: how often it occurs, and the first rows that have it. */
interface Found {
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
      for (const name of code ? [field ? `${code} (${field})` : code] : warnings) {
        const found = this.codes.get(name) ?? { count: 0, first: [] };
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
    const codes = [...this.codes].flatMap(([code, { count, first }]) => [
      `${code}: ${count}`,
      ...first.map((one) => `  ${one}`),
    ]);
    return [...counts, ...codes];
  }
}

export function excessLine(excess: ImportExcess): string {
  const over = Object.entries(excess).map(([name, count]) => `${count} ${name}`);
  return `Nothing was imported: the quotas would be exceeded by ${over.join(', ')}.`;
}

/** @param unmapped the number of rows of each product that the map does not name */
export function unmappedLines(unmapped: ReadonlyMap<string, number>): string[] {
  if (unmapped.size === 0) return [];
  const first = [...unmapped].slice(0, SHOWN).map(([name, rows]) => `  ${name}: ${rows}`);
  return [`Products missing from the map: ${unmapped.size}; with their rows:`, ...first];
}

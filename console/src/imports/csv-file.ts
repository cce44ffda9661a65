import { imports as names } from './import-texts.js';

/** The rows of a CSV file by the names of its columns. */
export interface CsvFile {
  readonly columns: readonly string[];
  readonly records: readonly Readonly<Record<string, string>>[];
}

/** The largest file, in bytes. */
export const MAX_SIZE = 5_000_000;

/**
 * Reads a CSV file. Spreadsheets also separate cells by semicolons or tabs. The parser loads with the first file.
 *
 * @throws Error if it is not UTF-8 or not CSV, or two columns have the same name
 */
export async function readCsv(file: File): Promise<CsvFile> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  const text = decode(await file.arrayBuffer());
  const [head = ''] = text.split('\n', 1);
  const counts = [',', ';', '\t'].map(
    (delimiter) => [head.split(delimiter).length, delimiter] as const,
  );
  const [, delimiter] = counts.reduce((most, one) => (one[0] > most[0] ? one : most));
  let columns: string[] = [];
  const records = parse<Record<string, string>>(text, {
    delimiter,
    bom: true,
    skip_empty_lines: true,
    trim: true,
    columns: (found: string[]) => {
      columns = found.filter(Boolean);
      return found.map((name) => name || false);
    },
  });
  const seen = new Set<string>();
  const twice = columns.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) throw new Error(names.twice(twice));
  return { columns, records };
}

/** Other encodings would corrupt names silently. UTF-16 contains NUL characters. */
function decode(bytes: ArrayBuffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Reports it like a NUL character.
  }
  throw new Error(names.notUtf8);
}

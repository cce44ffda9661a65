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
 * @throws Error if the text is not CSV
 */
export async function readCsv(file: File): Promise<CsvFile> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  const text = await file.text();
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
    columns: (names: string[]) => (columns = names),
  });
  return { columns, records };
}

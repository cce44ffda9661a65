import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { CommandError } from '../command-error.js';
import { isFields } from '../../shared/fields/request.decorators.js';
import type { ImportMap } from './import-map.js';
import { MAX_ROW, textOf, tooLong } from './text-file.js';
import { zonedTime } from './zoned-time.js';

const NUMBERS = ['duration', 'days', 'updatesDays', 'maxMachines', 'leaseSeconds'];
const TIMES = ['issuedAt', 'activatedAt', 'expiresAt', 'updatesUntil'];
const LISTS = ['services', 'entitlements'];
const FLAGS = ['subscription', 'neverActivated'];
/** Words that mean a license is perpetual. */
const NEVER = /^(0|never|lifetime|perpetual|unlimited)$/i;
/** Words that mean a license has no limit of machines. */
const UNLIMITED = /^(0|-1|unlimited)$/i;
const NO = /^(0|false|no)$/i;

type Cells = Readonly<Record<string, string>>;

/**
 * The rows of a CSV file, whose first line contains the column names.
 *
 * @throws CommandError if the file is not CSV, or if two columns have the same name
 */
export async function* readCsv(file: string, map: ImportMap): AsyncGenerator<object> {
  const parser = parse({
    ...{ skip_empty_lines: true, trim: true, max_record_size: MAX_ROW },
    columns: (names: readonly string[]) => columnsOf(file, names),
  });
  pipeline(textOf(file), parser, () => undefined);
  try {
    for await (const cells of parser) yield csvRow(cells as Cells, map);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw error.code === 'CSV_MAX_RECORD_SIZE'
      ? tooLong(file, error.lines as number)
      : new CommandError(`${file} cannot be read: ${error.message}.`);
  }
}

/** A column without a name is ignored. */
function columnsOf(file: string, names: readonly string[]): (string | false)[] {
  const seen = new Set<string>();
  const twice = names.find((name) => name !== '' && seen.size === seen.add(name).size);
  if (twice === undefined) return names.map((name) => name || false);
  throw new CommandError(`${file} has two columns named ${twice}. Rename one of them.`);
}

/** A CSV line as a row: dots in column names nest objects, and `;` separates list items. An empty cell is absent. */
export function csvRow(cells: Cells, { columns, timeZone = 'UTC' }: ImportMap): object {
  const names = columns ?? Object.fromEntries(Object.keys(cells).map((name) => [name, name]));
  const row: Record<string, unknown> = {};
  for (const [name, column] of Object.entries(names)) {
    const cell = cells[column]?.trim() ?? '';
    if (cell !== '') put(row, name.split('.'), valueOf(name, cell, timeZone));
  }
  return row;
}

function valueOf(name: string, cell: string, timeZone: string): unknown {
  if (name === 'expiresAt' && NEVER.test(cell)) return null;
  if (name === 'maxMachines' && UNLIMITED.test(cell)) return 1_000_000;
  if (NUMBERS.includes(name)) return Number(cell);
  if (TIMES.includes(name)) return zonedTime(cell, timeZone);
  if (LISTS.includes(name)) return cell.split(';').map((item) => item.trim());
  if (FLAGS.includes(name)) return !NO.test(cell);
  return cell;
}

function put(row: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown) {
  if (rest.length === 0) {
    Object.defineProperty(row, name!, { value, enumerable: true, configurable: true });
    return;
  }
  // One column may be named like the object whose fields are in other columns.
  const found = Object.hasOwn(row, name!) ? row[name!] : undefined;
  const inner = isFields(found) ? found : {};
  Object.defineProperty(row, name!, { value: inner, enumerable: true, configurable: true });
  put(inner, rest, value);
}

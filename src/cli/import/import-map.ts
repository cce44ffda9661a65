import { CommandError } from '../command-error.js';
import { isFields } from '../../shared/fields/request.decorators.js';
import { readAs } from './text-file.js';

/** Maps the fields of another product to the fields of a row; read from a JSON file that the vendor writes. */
export interface ImportMap {
  /** The column for each field of a row; by default, columns are named like the fields. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The status of a row, by the other product's word for it. */
  readonly statuses?: Readonly<Record<string, string>>;
  /** The time zone of times without an offset, such as `Europe/Berlin`; UTC by default. */
  readonly timeZone?: string;
  /** Project, product and plan, by the other product's id. */
  readonly products?: Readonly<Record<string, object>>;
  /** Defaults for rows that lack a value. */
  readonly defaults?: object;
}

const NAMES = ['columns', 'statuses', 'timeZone', 'products', 'defaults'];

/** @throws CommandError if the file is not a map */
export function readMap(file: string | undefined, timeZone: string | undefined): ImportMap {
  const map = file === undefined ? {} : (parse(file) as ImportMap);
  const unknown = Object.keys(map).find((name) => !NAMES.includes(name));
  if (unknown) throw new CommandError(`${file}: ${unknown} is not a known entry of a map.`);
  const read = timeZone === undefined ? map : { ...map, timeZone };
  try {
    new Intl.DateTimeFormat('en', { timeZone: read.timeZone ?? 'UTC' });
  } catch {
    throw new CommandError(`${read.timeZone} is not a time zone. Use a name like Europe/Berlin.`);
  }
  return read;
}

const parse = (file: string): object =>
  readAs(file, 'be a JSON object', (text) => {
    const map = JSON.parse(text) as unknown;
    return isFields(map) ? map : undefined;
  });

type Row = Readonly<Record<string, unknown>>;

/** A row with its status and product translated by the map. */
export function mapped(row: Row, { statuses = {}, products = {} }: ImportMap): Row {
  const { status, product } = row;
  const translated = typeof status === 'string' && Object.hasOwn(statuses, status);
  const known = typeof product === 'string' && Object.hasOwn(products, product);
  return {
    ...row,
    ...(translated && { status: statuses[status] }),
    ...(known && { product: undefined, ...products[product] }),
  };
}

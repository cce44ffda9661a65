import type { ImportRow } from '../api/types.js';
import type { CsvFile } from './csv-file.js';
import { fields } from './import-texts.js';

export type ImportField = keyof typeof fields;

export const FIELDS = Object.keys(fields) as ImportField[];
/** The fields that every row has. */
export const REQUIRED: readonly ImportField[] = ['ref', 'key', 'client.email'];

/** The column of each field that is imported. */
export type Mapping = Readonly<Partial<Record<ImportField, string>>>;

/** What other products call a field, without spaces and punctuation. */
const ALIASES: Readonly<Partial<Record<ImportField, readonly string[]>>> = {
  ref: ['id', 'licenseid'],
  key: ['licensekey', 'licensecode', 'serial', 'serialnumber', 'activationkey'],
  'client.email': ['email', 'customeremail', 'clientemail'],
  'client.name': ['name', 'customer', 'customername', 'clientname', 'company', 'buyer'],
  project: ['projectname'],
  plan: ['planname', 'policy'],
  issuedAt: ['createdat', 'created', 'purchasedat'],
  expiresAt: ['expires', 'expiry', 'expirydate', 'validuntil'],
  maxMachines: ['seats', 'machines', 'activationlimit'],
  externalId: ['order', 'ordernumber', 'reference'],
};

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Guesses the mapping from the column names. */
export const suggestedMapping = ({ columns }: CsvFile): Mapping =>
  Object.fromEntries(
    FIELDS.flatMap((field) => {
      const names = [plain(field), plain(fields[field]), ...(ALIASES[field] ?? [])];
      const column = columns.find((one) => names.includes(plain(one)));
      return column === undefined ? [] : [[field, column]];
    }),
  );

const NUMBERS: readonly ImportField[] = ['duration', 'days', 'maxMachines'];
const LISTS: readonly ImportField[] = ['services', 'entitlements'];
const TIMES: readonly ImportField[] = ['issuedAt', 'activatedAt', 'expiresAt', 'updatesUntil'];
/** Words that mean a license is perpetual. */
const NEVER = /^(never|lifetime|perpetual|unlimited)$/i;
/** A day, with or without a time, in UTC. */
const DAY = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?$/;

function valueOf(field: ImportField, cell: string): unknown {
  if (field === 'expiresAt' && NEVER.test(cell)) return null;
  if (NUMBERS.includes(field)) return Number(cell);
  if (LISTS.includes(field)) return cell.split(/[;,]/).map((item) => item.trim());
  if (!TIMES.includes(field)) return cell;
  const [, day, time = '00:00:00'] = DAY.exec(cell) ?? [];
  return day === undefined ? cell : `${day}T${time.padEnd(8, ':00')}Z`;
}

/** A line of the file, converted for the service. An empty cell is absent. */
export function toRow(record: CsvFile['records'][number], mapping: Mapping): ImportRow {
  const row: Record<string, unknown> = {};
  const client: Record<string, unknown> = {};
  for (const [field, column] of Object.entries(mapping) as [ImportField, string][]) {
    const cell = record[column]?.trim() ?? '';
    if (cell === '') continue;
    if (field.startsWith('client.')) client[field.slice('client.'.length)] = cell;
    else row[field] = valueOf(field, cell);
  }
  // The service reports the problem of each row.
  return { ...row, client } as unknown as ImportRow;
}

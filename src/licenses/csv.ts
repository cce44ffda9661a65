import type { LicenseDto } from './dto/license.response.js';
import type { ExportedNames } from './license-reader.js';

/** The columns of an export of licenses. */
export const CSV_COLUMNS = [
  ...([
    '_id',
    'keyHint',
    'status',
    'clientName',
    'clientEmail',
    'projectName',
    'product',
    'externalId',
  ] as const),
  ...([
    'plan',
    'planName',
    'duration',
    'days',
    'perpetual',
    'endIsFixed',
    'maxMachines',
    'machinesCount',
  ] as const),
  ...(['leaseSeconds', 'services', 'entitlements', 'issuedAt', 'activatedAt'] as const),
  ...([
    'startsOnActivation',
    'expiresAt',
    'updatesUntil',
    'updatesDays',
    'suspendedReason',
    'revokedAt',
    'revokedReason',
    'createdAt',
  ] as const),
] satisfies readonly (keyof (LicenseDto & ExportedNames))[];

type Cell = string | number | boolean | Date | null | readonly string[];

/** The first characters of a file, which make spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A line of CSV (RFC 4180). */
export const toCsvLine = (cells: readonly Cell[]): string => `${cells.map(toCell).join(',')}\r\n`;

/** Text that spreadsheets run as a formula, including text that starts a new cell in other locales. */
const FORMULA = /(^|[;\t\r\n])(?=[=+\-@\t\r＝＋－＠])/g;

function toCell(cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return cell.toISOString();
  const text = typeof cell === 'object' ? cell.join(' ') : String(cell);
  const harmless = text.replace(FORMULA, "$1'");
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

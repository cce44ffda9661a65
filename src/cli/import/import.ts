import fs from 'node:fs';
import { AccountsService } from '../../auth/accounts/accounts.service.js';
import { Imports } from '../../imports/imports.service.js';
import { isFields } from '../../shared/fields/request.decorators.js';
import type { ImportResponse, ImportResult } from '../../imports/dto/import.dto.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { addDays } from '../../shared/time/calendar.js';
import { MAX_TERM_DAYS } from '../../licenses/term.js';
import { readAccountFields } from '../account-fields.js';
import { CommandError, notFound } from '../command-error.js';
import { withStore } from '../with-store.js';
import { readCanonical } from './canonical.js';
import { readCsv } from './csv.js';
import { readPages } from './json-api.js';
import { keyboxRows, readCollections } from './keybox.js';
import { keygenRows } from './keygen.js';
import { lemonSqueezyRows } from './lemon-squeezy.js';
import { type ImportMap, mapped, readMap } from './import-map.js';

const FORMATS = {
  canonical: (files: readonly string[]) => eachOf(files, readCanonical),
  csv: (files: readonly string[], map: ImportMap) => eachOf(files, (file) => readCsv(file, map)),
  keygen: (files: readonly string[]) => keygenRows(readPages(files)),
  keybox: (files: readonly string[]) => keyboxRows(readCollections(files)),
  'lemon-squeezy': (files: readonly string[]) => lemonSqueezyRows(readPages(files)),
};

async function* eachOf(files: readonly string[], read: (file: string) => AsyncIterable<unknown>) {
  for (const file of files) yield* read(file);
}

const BATCH = 100;
/** Rows that are shown of each code. */
const SHOWN = 10;
/** Milliseconds between two lines of progress. */
const INTERVAL = 5_000;

export interface ImportCommandOptions {
  readonly from: keyof typeof FORMATS;
  readonly account: string;
  readonly check?: boolean;
  readonly map?: string;
  readonly timeZone?: string;
  readonly farEnd?: 'perpetual';
  readonly allowMissingEmail?: boolean;
}

/** The operator vouches for the rows, so conflicts with other accounts are not limited. */
const UNLIMITED = {
  check: () => Promise.resolve(),
  reject: (_account: string, code: 'KEY_TAKEN' | 'CLIENT_EMAIL_TAKEN') =>
    Promise.reject(new DomainError(code, { field: code === 'KEY_TAKEN' ? 'key' : 'client.email' })),
};

/**
 * Imports the licenses of files: all rows are checked first, and nothing is written if they exceed a quota.
 *
 * @returns the lines for the operator, and whether all rows are fine
 */
export async function importFiles(
  files: readonly string[],
  options: ImportCommandOptions,
  env = process.env,
): Promise<{ readonly text: string; readonly isComplete: boolean }> {
  const map = readMap(options.map, options.timeZone);
  const rows = await readRows(files, options, map);
  return withStore(env, async (app) => {
    const { email } = readAccountFields(options.account);
    const login = await app.get(AccountsService).findByEmail(email);
    if (!login) throw notFound(email);
    const { from: source, allowMissingEmail = false } = options;
    const common = { source, allowMissingEmail, defaults: map.defaults, allowsOwnKeys: true };
    const request = { ...common, accountId: login.account };
    const imports = app.get(Imports);
    const checked = await imports.run({ ...request, rows, conflicts: undefined });
    if (options.check || checked.wouldExceed) return summaryOf(checked, options.check === true);
    const results: ImportResult[] = [];
    let printedAt = performance.now();
    for (let first = 0; first < rows.length; first += BATCH) {
      const batch = { ...request, rows: rows.slice(first, first + BATCH), conflicts: UNLIMITED };
      results.push(...(await imports.run(batch)).results);
      if (performance.now() - printedAt < INTERVAL) continue;
      printedAt = performance.now();
      console.error(`Imported ${results.length} of ${rows.length} rows.`);
    }
    const report = writeReport(files[0]!, results);
    const { text, isComplete } = summaryOf({ results, wouldExceed: null }, false);
    return { text: `${text}\nThe outcome of each row is in ${report}.`, isComplete };
  });
}

async function readRows(
  files: readonly string[],
  { from, farEnd }: ImportCommandOptions,
  map: ImportMap,
): Promise<unknown[]> {
  const latest = addDays(new Date(), MAX_TERM_DAYS);
  const rows: unknown[] = [];
  const missing = files.find((file) => !fs.existsSync(file));
  if (missing !== undefined) throw new CommandError(`${missing} does not exist.`);
  for await (const sent of FORMATS[from](files, map)) {
    const row = isFields(sent) ? mapped(sent, map) : sent;
    const isFar = farEnd && isFields(row) && new Date(String(row.expiresAt)) > latest;
    rows.push(isFar ? { ...row, expiresAt: null } : row);
  }
  return rows;
}

/** @param isCheck whether nothing was written on purpose */
function summaryOf(
  { results, wouldExceed }: Pick<ImportResponse, 'results' | 'wouldExceed'>,
  isCheck: boolean,
) {
  const totals = new Map<string, number>();
  const byCode = new Map<string, string[]>();
  results.forEach(({ outcome, code, field, ref, warnings }, index) => {
    totals.set(outcome, (totals.get(outcome) ?? 0) + 1);
    for (const name of code ? [field ? `${code} (${field})` : code] : warnings) {
      byCode.set(name, [...(byCode.get(name) ?? []), `row ${index + 1}${ref ? `, ${ref}` : ''}`]);
    }
  });
  const lines = [...totals].map(([outcome, count]) => `${String(count).padStart(8)} ${outcome}`);
  for (const [code, found] of byCode) {
    lines.push(`${code}: ${found.length}`, ...found.slice(0, SHOWN).map((one) => `  ${one}`));
  }
  if (wouldExceed) {
    const excess = Object.entries(wouldExceed).map(([name, count]) => `${count} ${name}`);
    lines.push(`Nothing was imported: the quotas would be exceeded by ${excess.join(', ')}.`);
  } else if (isCheck) lines.push('This was only a check. Nothing was imported.');
  const isComplete = !totals.has('rejected') && !totals.has('deferred') && !wouldExceed;
  return { text: lines.join('\n'), isComplete };
}

/** Writes the outcome of each row to a new file, without keys and addresses. */
function writeReport(file: string, results: readonly ImportResult[]): string {
  const text = results.map((result, index) => `${JSON.stringify({ row: index + 1, ...result })}\n`);
  for (let number = 1; ; number += 1) {
    const name = `${file}.report-${number}.ndjson`;
    if (fs.existsSync(name)) continue;
    fs.writeFileSync(name, text.join(''), { flag: 'wx', mode: 0o600 });
    return name;
  }
}

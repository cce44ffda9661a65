import fs from 'node:fs';
import { AccountsService } from '../../auth/accounts/accounts.service.js';
import { Imports } from '../../imports/imports.service.js';
import { PlannedRecords } from '../../imports/planned-records.js';
import { isFields } from '../../shared/fields/request.decorators.js';
import { Config } from '../../shared/config/config.js';
import type { DomainError } from '../../shared/errors/domain-error.js';
import { addDays } from '../../shared/time/calendar.js';
import { MAX_TERM_DAYS } from '../../licenses/term.js';
import { readAccountFields } from '../account-fields.js';
import { CommandError, notFound } from '../command-error.js';
import { whileStopped } from '../../storage/sqlite/maintenance.js';
import { type Services, withStore } from '../with-store.js';
import { readCanonical } from './canonical.js';
import { readCsv } from './csv.js';
import { readPages } from './json-api.js';
import { keyboxRows, readCollections } from './keybox.js';
import { keygenRows } from './keygen.js';
import { lemonSqueezyRows } from './lemon-squeezy.js';
import { type ImportMap, mapped, readMap } from './import-map.js';
import { progress } from '../progress.js';
import { Report } from './report.js';
import { excessLine, Summary, unmappedLines } from './summary.js';

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

/** Rows in memory: a multiple of the rows imported at the same time. */
const BATCH = 128;

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
  reject: (_account: string, conflict: DomainError) => Promise.reject(conflict),
};

/**
 * Imports licenses from files. All rows are checked first, and nothing is written if they exceed a quota.
 *
 * @returns the lines for the operator, and whether all rows are valid
 */
export async function importFiles(
  files: readonly string[],
  options: ImportCommandOptions,
  env = process.env,
): Promise<{ readonly text: string; readonly isComplete: boolean }> {
  const map = readMap(options.map, options.timeZone);
  const missing = files.find((file) => !fs.statSync(file, { throwIfNoEntry: false })?.isFile());
  if (missing !== undefined) throw new CommandError(`${missing} is not a file.`);
  return withStore(env, async (app) => {
    const { mongodbUri, dataDir } = app.get(Config);
    const run = () => checkAndImport(files, options, map, app);
    // SQLite has a single writer, so the service's requests would wait for the rows.
    return options.check || mongodbUri ? run() : whileStopped(dataDir, run);
  });
}

async function checkAndImport(
  files: readonly string[],
  options: ImportCommandOptions,
  map: ImportMap,
  app: Services,
) {
  const { email } = readAccountFields(options.account);
  const login = await app.get(AccountsService).findByEmail(email);
  if (!login) throw notFound(email);
  const { from: source, allowMissingEmail = false } = options;
  const common = { source, allowMissingEmail, defaults: map.defaults, allowsOwnKeys: true };
  const request = { ...common, accountId: login.account };
  const imports = app.get(Imports);
  const show = progress();
  const planned = new PlannedRecords();
  const checked = new Summary();
  const unmapped = new Map<string, number>();
  for await (const rows of batchesOf(readRows(files, options, map, unmapped))) {
    const check = { ...request, rows, conflicts: undefined };
    checked.add(await imports.importRows(check, planned));
    show('Checked', checked.rows);
  }
  const excess = await imports.excessOf(request.accountId, planned.count);
  if (options.check || excess) {
    const end = excess ? excessLine(excess) : 'This was only a check. Nothing was imported.';
    const lines = [...checked.lines, ...unmappedLines(unmapped), end];
    return { text: lines.join('\n'), isComplete: checked.isComplete && !excess };
  }
  const report = new Report(files[0]!);
  const imported = new Summary();
  for await (const rows of batchesOf(readRows(files, options, map))) {
    const batch = { ...request, rows, conflicts: UNLIMITED };
    const results = await imports.importRows(batch, planned);
    report.add(results, imported.rows);
    imported.add(results);
    show('Imported', imported.rows);
  }
  const lines = [...imported.lines, `The outcome of each row is in ${report.file}.`];
  return { text: lines.join('\n'), isComplete: imported.isComplete };
}

/** @param unmapped receives the number of rows for each product that the map does not name */
async function* readRows(
  files: readonly string[],
  { from, farEnd }: ImportCommandOptions,
  map: ImportMap,
  unmapped = new Map<string, number>(),
): AsyncGenerator<unknown> {
  const latest = addDays(new Date(), MAX_TERM_DAYS);
  // These sources name products only by id.
  const needsMap = map.products !== undefined || from === 'keygen' || from === 'lemon-squeezy';
  for await (const sent of FORMATS[from](files, map)) {
    if (!isFields(sent)) {
      yield sent;
      continue;
    }
    const { product } = sent;
    if (needsMap && typeof product === 'string' && !Object.hasOwn(map.products ?? {}, product)) {
      unmapped.set(product, (unmapped.get(product) ?? 0) + 1);
    }
    const row = mapped(sent, map);
    const isFar = farEnd && new Date(String(row.expiresAt)) > latest;
    yield isFar ? { ...row, expiresAt: null } : row;
  }
}

async function* batchesOf(rows: AsyncIterable<unknown>): AsyncGenerator<unknown[]> {
  let batch: unknown[] = [];
  for await (const row of rows) {
    if (batch.push(row) < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

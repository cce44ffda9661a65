import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import type { Conflicts } from '../limits/conflict-limiters.js';
import { MACHINES } from '../machines/machine.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { ErrorCode } from '../shared/errors/error-codes.js';
import type { AccountId } from '../shared/ids.js';
import { NO_RECORDS, TOTALS } from '../shared/quotas/account-totals.js';
import { requestContext } from '../shared/request-context.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import type { ImportExcess, ImportResponse, ImportResult } from './dto/import.dto.js';
import { OUTCOMES } from './dto/import.dto.js';
import { PlannedRecords } from './planned-records.js';
import { RowImports, type RowOutcome } from './row-imports.service.js';
import { type ImportOptions, RowReader } from './row-reader.service.js';

/** Number of rows imported at the same time, so they share commits. */
const CONCURRENCY = 32;
/** No row starts within this many milliseconds of the request's deadline. */
const MARGIN = 800;

/** The row is valid, and can be imported once others are. */
const LATER: readonly ErrorCode[] = [
  ...(['OVERLOADED', 'STORE_UNAVAILABLE', 'TOO_MANY_CONCURRENT_REQUESTS'] as const),
];

export interface Import extends ImportOptions {
  readonly accountId: AccountId;
  /** Undefined for a check, which changes nothing. */
  readonly conflicts: Conflicts | undefined;
  readonly rows: readonly unknown[];
}

interface Imported {
  readonly result: ImportResult;
  /** What the row creates; undefined if nothing. */
  readonly row?: RowOutcome;
}

/** Imports licenses of other products, each row independently. */
@Injectable()
export class Imports {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly reader: RowReader,
    private readonly imports: RowImports,
    private readonly config: Config,
  ) {}

  async run(request: Import): Promise<ImportResponse> {
    const planned = new PlannedRecords();
    const results = await this.importRows(request, planned);
    const counts = OUTCOMES.map((name) => [
      name,
      results.filter(({ outcome }) => outcome === name).length,
    ]);
    const totals = Object.fromEntries(counts) as ImportResponse['totals'];
    const wouldExceed = request.conflicts
      ? null
      : await this.excessOf(request.accountId, planned.count);
    return { results, totals, wouldExceed };
  }

  /** @param planned what earlier rows of the same check would create */
  async importRows(request: Import, planned: PlannedRecords): Promise<ImportResult[]> {
    const all = await pLimit(CONCURRENCY).map(request.rows, (row) => this.importRow(row, request));
    return all.map(({ result, row }) =>
      row && !request.conflicts ? planned.add(result, row) : result,
    );
  }

  private async importRow(sent: unknown, request: Import): Promise<Imported> {
    const named = (sent as { readonly ref?: unknown } | null)?.ref;
    const ref = typeof named === 'string' ? named : null;
    const { endsAt = Infinity } = requestContext.getStore() ?? {};
    if (performance.now() > endsAt - MARGIN) return { result: deferred(ref) };
    try {
      const read = await this.reader.read(sent, request.accountId, request);
      const decide = (failed?: Parameters<Parameters<Decisions['run']>[0]>[0]) =>
        this.imports.decide(read, request, failed);
      // Rows of the same client wait for each other instead of conflicting at their commits.
      const key = `import for ${read.client.email}`;
      const row = await (request.conflicts
        ? this.decisions.run(decide, { key })
        : decide().then(({ result }) => result));
      return { result: resultOf(ref, row, request), ...(row.outcome === 'created' && { row }) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { code, fields } = error;
      if (LATER.includes(code)) return { result: deferred(ref) };
      const field = fields.field as string | undefined;
      const rejected = { ref, outcome: 'rejected', code, warnings: [] } as const;
      return { result: { ...rejected, warnings: [], ...(field !== undefined && { field }) } };
    }
  }

  /** How many records the import would create beyond each quota. */
  async excessOf(user: AccountId, added: PlannedRecords['count']): Promise<ImportExcess | null> {
    const { quotas } = this.config;
    const totals = (await this.store.find(TOTALS, { _id: user })) ?? NO_RECORDS;
    const stored = {
      clients: totals.clientsCount,
      projects: totals.projectsCount,
      licenses: totals.licensesCount,
      machines: await this.store.count(MACHINES, { user }, quotas.machines || 1),
    };
    const names = ['clients', 'projects', 'licenses', 'machines'] as const;
    const excess = names.flatMap((name) => {
      const over = stored[name] + added[name] - quotas[name];
      return quotas[name] > 0 && added[name] > 0 && over > 0 ? [[name, over]] : [];
    });
    return excess.length === 0 ? null : (Object.fromEntries(excess) as ImportExcess);
  }
}

const deferred = (ref: string | null): ImportResult => ({ ref, outcome: 'deferred', warnings: [] });

function resultOf(ref: string | null, row: RowOutcome, { conflicts }: Import): ImportResult {
  const { outcome, license, fields = [], warnings } = row;
  const isStored = outcome !== 'created' || conflicts;
  return {
    ref,
    outcome,
    ...(isStored && { licenseId: license._id }),
    ...(fields.length > 0 && { fields: [...fields] }),
    warnings: [...warnings],
  };
}

import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { type Principal, requireAccessTo } from '../auth/principal.js';
import { DtoValidationPipe } from '../http/validation/validation.pipe.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { ERRORS } from '../shared/errors/error-codes.js';
import { validationError } from '../shared/errors/validation-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { requireTimeForStep } from '../shared/request-context.js';
import { Decisions } from '../storage/decisions.js';
import { omitUndefined } from '../storage/filter.js';
import { Turns } from '../storage/turns.js';
import {
  BATCH_OPERATIONS,
  type BatchOperation,
  LicenseItemDto,
  type LicenseOutcome,
  RenewItemDto,
  SuspendItemDto,
  UpdateItemDto,
} from './dto/license-batch.dto.js';
import { LicenseReader, type ShownLicense } from './license-reader.js';
import { renewalOf } from './license-terms.js';
import { LicensePresenter } from './license.presenter.js';
import { LicensesService } from './licenses.service.js';
import { RESUMPTION, renewalBy, revocation, suspension } from './license-changes.js';
import { RenewLicenseDto, SuspendLicenseDto } from './dto/license.dto.js';

/** Number of items changed at the same time, so they share commits. */
const CONCURRENCY = 10;

const ITEMS = {
  renew: RenewItemDto,
  suspend: SuspendItemDto,
  resume: LicenseItemDto,
  revoke: SuspendItemDto,
  update: UpdateItemDto,
};
type ReadItem = RenewItemDto & SuspendItemDto & UpdateItemDto;

const CHANGES = {
  renew: (item: RenewLicenseDto) => renewalBy(renewalOf(item)),
  suspend: ({ reason }: SuspendLicenseDto) => suspension(reason),
  resume: () => RESUMPTION,
  revoke: ({ reason }: SuspendLicenseDto) => revocation(reason),
};

/** Changes several licenses independently. */
@Injectable()
export class LicenseBatches {
  /** An account's batches run one after the other, because each takes a while. */
  private readonly turns = new Turns();

  constructor(
    private readonly licenses: LicensesService,
    private readonly reader: LicenseReader,
    private readonly presenter: LicensePresenter,
    private readonly decisions: Decisions,
    private readonly pipe: DtoValidationPipe,
  ) {}

  /**
   * The outcomes in the order of the items. If the request runs out of time, the remaining outcomes are
   * OVERLOADED. Repeating the request with the same idempotency key changes only those licenses.
   */
  async change(
    caller: Principal,
    operation: BatchOperation,
    items: readonly object[],
    idempotency: IdempotencyRecord | undefined,
  ): Promise<LicenseOutcome[]> {
    requireAccessTo(caller, BATCH_OPERATIONS[operation]);
    // From here on, the key belongs to this request. Each item has its own record, stored with its change.
    const claim = async () => ({ result: undefined, changes: [] });
    if (idempotency) await this.decisions.run<void>(claim, { idempotency });
    const limit = pLimit(CONCURRENCY);
    const changeAll = () =>
      limit.map(items, (item, index) => {
        const own = idempotency && { ...idempotency, _id: `${idempotency._id}.${index}` };
        return this.changeOne(caller.accountId, operation, item, own);
      });
    return this.turns.run(caller.accountId, changeAll);
  }

  private async changeOne(
    accountId: AccountId,
    operation: BatchOperation,
    item: object,
    idempotency: IdempotencyRecord | undefined,
  ): Promise<LicenseOutcome> {
    let id: string | null = null;
    // Other requests can run between two items.
    await setImmediate();
    try {
      requireTimeForStep();
      const metadata = { type: 'body', metatype: ITEMS[operation] } as const;
      const read = (await this.pipe.transform(item, metadata)) as ReadItem;
      id = await this.idOf(read, operation, accountId);
      const shown = await this.run(operation, id, accountId, read, idempotency);
      return { id, status: 200, license: this.presenter.present(shown) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { code, fields, message } = error;
      const { details = message } = fields as { readonly details?: string };
      return { id, status: ERRORS[code].status, code, message: details };
    }
  }

  private async idOf(
    { id, externalId }: LicenseItemDto,
    operation: BatchOperation,
    accountId: AccountId,
  ): Promise<string> {
    if (id && externalId && operation !== 'update') {
      throw validationError({ id: ['Send either id or externalId'] });
    }
    const license = await (id
      ? this.reader.findOwned(id, accountId)
      : this.reader.findByExternalId(externalId!, accountId));
    if (!license) throw new DomainError('LICENSE_NOT_FOUND');
    return license._id;
  }

  private run(
    operation: BatchOperation,
    id: string,
    accountId: AccountId,
    { id: named, externalId, ...body }: ReadItem,
    idempotency: IdempotencyRecord | undefined,
  ): Promise<ShownLicense> {
    if (operation !== 'update') {
      return this.licenses.change(id, accountId, CHANGES[operation](body), idempotency);
    }
    const changes = named ? { ...body, ...omitUndefined({ externalId }) } : body;
    return this.licenses.update(id, accountId, changes, idempotency);
  }
}

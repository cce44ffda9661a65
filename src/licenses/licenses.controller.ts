import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account, Caller } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { IdParam } from '../shared/fields/request.decorators.js';
import type { AccountId } from '../shared/ids.js';
import { PageQuery, toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { EventListResponse, toEventDto } from '../events/dto/event.response.js';
import { EventsService } from '../events/events.service.js';
import { LicenseListQuery } from './dto/license-list.query.js';
import {
  ChangedLicense,
  LicenseDto,
  LicenseListResponse,
  LookedUpLicense,
  ReissuedLicense,
} from './dto/license.response.js';
import {
  LookUpLicenseDto,
  ReissueLicenseDto,
  RenewLicenseDto,
  RevokeLicenseDto,
  SuspendLicenseDto,
  UpdateLicenseDto,
} from './dto/license.dto.js';
import { lengthOf, renewalOf } from './license-terms.js';
import { LicenseReader } from './license-reader.js';
import { LicensePresenter } from './license.presenter.js';
import type { License } from './license.js';
import { unknownKey } from './license-key.service.js';
import { LicensesService } from './licenses.service.js';
import { RESUMPTION, renewalBy, revocation, suspension } from './license-changes.js';

@ApiTags('licenses')
@Controller('licenses')
export class LicensesController {
  constructor(
    private readonly licenses: LicensesService,
    private readonly reader: LicenseReader,
    private readonly events: EventsService,
    private readonly presenter: LicensePresenter,
  ) {}

  @Get()
  @Describe('List your licenses', 'Paginated. Filters are combined with AND.')
  @Responds(200, 'A page of licenses', LicenseListResponse)
  async listLicenses(
    @Account() accountId: AccountId,
    @Query() query: LicenseListQuery,
  ): Promise<LicenseListResponse> {
    const list = `licenses-${query.sort}-${query.order}`;
    const page = await this.licenses.list(accountId, query, toPageRequest(query, list));
    const data = await this.presenter.presentAll(page.data);
    return toListResponse({ ...page, data }, list, (license) => license);
  }

  @Get(':id')
  @Describe('Get a license', 'A license of another account returns 404.')
  @Responds(200, 'The license', LicenseDto)
  @ApiErrors('LICENSE_NOT_FOUND')
  async getLicense(@Account() accountId: AccountId, @Param() { id }: IdParam): Promise<LicenseDto> {
    return this.presenter.present(await this.licenses.show(id, accountId));
  }

  @Get(':id/events')
  @Describe('List the events of a license', 'Paginated, newest first.')
  @Responds(200, 'A page of events', EventListResponse)
  @ApiErrors('LICENSE_NOT_FOUND')
  async listLicenseEvents(
    @Caller() caller: Principal,
    @Param() { id }: IdParam,
    @Query() query: PageQuery,
  ): Promise<EventListResponse> {
    const list = `events-${id}`;
    const request = toPageRequest(query, list);
    const { _id: subject } = await this.reader.get(id, caller.accountId);
    const page = await this.events.list(caller, { subject }, request);
    return toListResponse(page, list, toEventDto);
  }

  @Post('lookup')
  @Describe(
    'Find a license by its key',
    'Accepts the key in any form that activation accepts. Lookups of distinct unknown keys are limited per account.',
  )
  @Responds(200, 'The license', LookedUpLicense)
  @ApiErrors('LICENSE_KEY_REQUIRED', 'LICENSE_NOT_FOUND')
  async lookUpLicense(
    @Account() accountId: AccountId,
    @Body() { key }: LookUpLicenseDto,
  ): Promise<LookedUpLicense> {
    const found = await this.licenses.findByKey(key, accountId);
    if (!found) throw unknownKey(key);
    const [license] = await this.presenter.presentAll([found]);
    return { license: license! };
  }

  @Patch(':id')
  @Describe(
    'Update a license',
    '`expiresAt` moves the expiry date in either direction. If you send `plan`, the plan supplies the limits, ' +
      'features and services you omit. The expiry date does not change. If the license is REVOKED, only `externalId` ' +
      'and `metadata` can change.',
  )
  @Responds(200, 'The updated license', ChangedLicense)
  @ApiErrors(
    'SERVICES_REQUIRED',
    'LICENSE_NOT_FOUND',
    'LICENSE_ALREADY_REVOKED',
    'LICENSE_TERM_TOO_LONG',
    'MACHINES_IN_USE',
    'PLAN_NOT_FOUND',
    'PLAN_OF_ANOTHER_PRODUCT',
    'LICENSE_EXISTS',
  )
  async updateLicense(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() changes: UpdateLicenseDto,
  ): Promise<ChangedLicense> {
    const license = await this.licenses.update(id, accountId, changes);
    return this.presenter.respond('License updated', license);
  }

  @Post(':id/suspend')
  @Describe(
    'Suspend a license',
    'Use it for an unpaid invoice, for example. The license validates as `suspended` until you resume it, and its term keeps running. ' +
      'Suspending it again has no effect.',
  )
  @Responds(200, 'The suspended license', ChangedLicense)
  @ApiErrors('LICENSE_NOT_FOUND', 'LICENSE_ALREADY_REVOKED')
  async suspendLicense(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() { reason }: SuspendLicenseDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedLicense> {
    const license = await this.licenses.change(id, accountId, suspension(reason), idempotency);
    return this.presenter.respond('License suspended', license);
  }

  @Post(':id/resume')
  @Describe(
    'Resume a suspended license',
    'Restores the status that the license would have without the suspension. Resuming a license that is not suspended has no effect.',
  )
  @Responds(200, 'The license', ChangedLicense)
  @ApiErrors('LICENSE_NOT_FOUND', 'LICENSE_ALREADY_REVOKED')
  async resumeLicense(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedLicense> {
    const license = await this.licenses.change(id, accountId, RESUMPTION, idempotency);
    return this.presenter.respond('License resumed', license);
  }

  @Post(':id/revoke')
  @Describe(
    'Revoke a license',
    'Once this response is sent, the license validates as `revoked`. Revoking it again has no effect.',
  )
  @Responds(200, 'The revoked license', ChangedLicense)
  @ApiErrors('LICENSE_NOT_FOUND')
  async revokeLicense(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() { reason }: RevokeLicenseDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedLicense> {
    const license = await this.licenses.change(id, accountId, revocation(reason), idempotency);
    return this.presenter.respond('License revoked', license);
  }

  @Post(':id/renew')
  @Describe(
    'Renew a license',
    'An ACTIVE license is extended from its current expiry date. An EXPIRED license starts a new term now and becomes ACTIVE. ' +
      'A SUSPENDED license stays SUSPENDED. A license that was never activated stays PENDING, and can be renewed only ' +
      'if its expiry date is fixed.',
  )
  @Responds(200, 'The license with its new term', ChangedLicense)
  @ApiErrors(
    'INVALID_DURATION',
    'INVALID_TERM',
    'LICENSE_NOT_FOUND',
    'LICENSE_NOT_ACTIVATED',
    'LICENSE_ALREADY_REVOKED',
    'LICENSE_IS_PERPETUAL',
    'UPDATES_UNLIMITED',
    'LICENSE_TERM_TOO_LONG',
  )
  async renewLicense(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() body: RenewLicenseDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedLicense> {
    const renewal = renewalBy(renewalOf(body));
    const license = await this.licenses.change(id, accountId, renewal, idempotency);
    return this.presenter.respond('License renewed', license);
  }

  @Post(':id/reissue')
  @Describe(
    'Replace a license with one that has a new key',
    'Use it if a key has leaked. Atomically revokes the license and creates its replacement. With `keepMachines`, the ' +
      'replacement keeps the status, the term and the machines. Installed software only needs the new key. Without it, ' +
      'the replacement is PENDING and has no machines. It is issued for the remaining days, unless you send a term.',
  )
  @Responds(201, 'The revoked license and its replacement', ReissuedLicense)
  @ApiErrors(
    'INVALID_DURATION',
    'INVALID_TERM',
    'LICENSE_NOT_FOUND',
    'LICENSE_ALREADY_REVOKED',
    'LICENSE_SUSPENDED',
    'TERM_REQUIRED',
    'LICENSE_QUOTA_REACHED',
  )
  async reissueLicense(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() { keepMachines, ...term }: ReissueLicenseDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ReissuedLicense> {
    const as = keepMachines ? 'keepMachines' : lengthOf(term);
    const reissued = await this.licenses.reissue(id, accountId, as, idempotency);
    return {
      message: 'License reissued',
      revoked: this.presenter.present(reissued.revoked),
      license: this.presenter.present(reissued.license),
      certificateExpiresAt: endIfStillOut(reissued.revoked.license),
    };
  }
}

/** How long an offline machine may keep running, as of the reissue; null if no certificate is still valid. */
function endIfStillOut({ certificatesEndAt, revokedAt }: License): Date | null {
  return certificatesEndAt && certificatesEndAt > revokedAt! ? certificatesEndAt : null;
}

import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account, Caller } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { DomainError } from '../shared/errors/domain-error.js';
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
  ReissuedLicense,
} from './dto/license.response.js';
import {
  LookUpLicenseDto,
  ReissueLicenseDto,
  RenewLicenseDto,
  RevokeLicenseDto,
  UpdateLicenseDto,
} from './dto/license.dto.js';
import { lengthOf, requiredLength } from './license-terms.js';
import { LicenseReader } from './license-reader.js';
import { LicensePresenter } from './license.presenter.js';
import type { License } from './license.js';
import { LicensesService } from './licenses.service.js';

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
  @Describe('List your licenses', 'A page at a time; the filters are combined.')
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
  @Describe('Read a license', "Another user's license is not found.")
  @Responds(200, 'The license', LicenseDto)
  @ApiErrors('LICENSE_NOT_FOUND')
  async getLicense(@Account() accountId: AccountId, @Param() { id }: IdParam): Promise<LicenseDto> {
    return this.presenter.present(await this.licenses.show(id, accountId));
  }

  @Get(':id/events')
  @Describe('List what happened to a license', 'The newest first, a page at a time.')
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
    'In any form that shipped software may send. An account has a limit for distinct unknown keys.',
  )
  @Responds(200, 'The license', LicenseDto)
  @ApiErrors('LICENSE_KEY_REQUIRED', 'LICENSE_NOT_FOUND')
  async lookUpLicense(
    @Account() accountId: AccountId,
    @Body() { key }: LookUpLicenseDto,
  ): Promise<LicenseDto> {
    const license = await this.licenses.findByKey(key, accountId);
    if (!license) throw new DomainError('LICENSE_NOT_FOUND');
    const [presented] = await this.presenter.presentAll([license]);
    return presented!;
  }

  @Patch(':id')
  @Describe(
    'Change what a license includes',
    '`expiresAt` moves its end in either direction. A plan gives it its limits, features and services if the request has none; its ' +
      'end stays. Of a REVOKED license, only `externalId` and `metadata` change. A field that is not listed here is rejected.',
  )
  @Responds(200, 'The license as it is now', ChangedLicense)
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
    return this.presenter.respond('License updated successfully', license);
  }

  @Post(':id/suspend')
  @Describe(
    'Suspend a license',
    'For an unpaid invoice: it validates as `suspended` until it is resumed, and its term goes on. Suspending again ' +
      'changes nothing.',
  )
  @Responds(200, 'The license, SUSPENDED', ChangedLicense)
  @ApiErrors('LICENSE_NOT_FOUND', 'LICENSE_ALREADY_REVOKED')
  async suspendLicense(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedLicense> {
    const license = await this.licenses.suspend(id, accountId, idempotency);
    return this.presenter.respond('License suspended successfully', license);
  }

  @Post(':id/resume')
  @Describe(
    'Resume a suspended license',
    'It is what it would be without the suspension. Resuming a license that is not suspended changes nothing.',
  )
  @Responds(200, 'The license', ChangedLicense)
  @ApiErrors('LICENSE_NOT_FOUND', 'LICENSE_ALREADY_REVOKED')
  async resumeLicense(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedLicense> {
    const license = await this.licenses.resume(id, accountId, idempotency);
    return this.presenter.respond('License resumed successfully', license);
  }

  @Post(':id/revoke')
  @Describe(
    'Revoke a license',
    'Once this response is sent, it validates as `revoked`. Revoking again changes nothing.',
  )
  @Responds(200, 'The license, REVOKED', ChangedLicense)
  @ApiErrors('LICENSE_NOT_FOUND')
  async revokeLicense(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() { reason }: RevokeLicenseDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedLicense> {
    const license = await this.licenses.revoke(id, accountId, reason ?? null, idempotency);
    return this.presenter.respond('License revoked successfully', license);
  }

  @Post(':id/renew')
  @Describe(
    'Renew a license',
    'An ACTIVE license is extended from its end. An EXPIRED one starts a new term now. A SUSPENDED license stays SUSPENDED, and one ' +
      'that was never activated stays PENDING: it can be renewed if its end is absolute.',
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
    @Body() { updatesDays, ...term }: RenewLicenseDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedLicense> {
    const length = updatesDays ? lengthOf(term) : requiredLength(term);
    const renewal = { length, updatesDays: updatesDays ?? undefined };
    const license = await this.licenses.renew(id, accountId, renewal, idempotency);
    return this.presenter.respond('License renewed successfully', license);
  }

  @Post(':id/reissue')
  @Describe(
    'Replace a license by one with a new key',
    'For a key that leaked: revokes the license and creates its replacement, or does neither. With `keepMachines`, the replacement is ' +
      'as the license was: its status, its term, and the machines that hold its seats; installed software needs the new key and ' +
      'nothing else. Otherwise it is PENDING and has no machines, and without a term in the request it is issued for the days that ' +
      'are left.',
  )
  @Responds(201, 'Both licenses', ReissuedLicense)
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
      message: 'License reissued successfully',
      revoked: this.presenter.present(reissued.revoked),
      license: this.presenter.present(reissued.license),
      certificateExpiresAt: endIfStillOut(reissued.revoked.license),
    };
  }
}

/** Until when a machine without a network may run, as of the reissue; null where no certificate is still out. */
function endIfStillOut({ certificatesEndAt, revokedAt }: License): Date | null {
  return certificatesEndAt && certificatesEndAt > revokedAt! ? certificatesEndAt : null;
}

import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { ApiErrors } from '../openapi/decorators/api-errors.decorator.js';
import { IdParams } from '../shared/fields/object-id.decorator.js';
import { PageQuery, toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { ApiIdempotencyKey, Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import { LicenseEventListResponse, toLicenseEventDto } from './dto/license-event.response.js';
import { LicenseListQuery, toLicenseQuery } from './dto/license-list.query.js';
import {
  ChangedLicense,
  LicenseDto,
  LicenseListResponse,
  ReissuedLicense,
} from './dto/license.response.js';
import { ReissueLicenseDto, RenewLicenseDto, RevokeLicenseDto } from './dto/license-changes.dto.js';
import { LicenseEventsService } from './license-events.service.js';
import { LicensePresenter } from './license.presenter.js';
import type { Reissued } from './licenses.repository.js';
import { LicensesService } from './licenses.service.js';

@ApiTags('licenses')
@Controller('licenses')
export class LicensesController {
  constructor(
    private readonly licenses: LicensesService,
    private readonly events: LicenseEventsService,
    private readonly presenter: LicensePresenter,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listLicenses',
    summary: 'List your licenses',
    description: 'A page at a time; the filters are combined.',
  })
  @ApiOkResponse({ type: LicenseListResponse, description: 'A page of licenses' })
  async list(
    @CurrentUser() { accountId }: Principal,
    @Query() query: LicenseListQuery,
  ): Promise<LicenseListResponse> {
    const list = `licenses-${query.sort}-${query.order}`;
    const request = toPageRequest(query, list);
    const page = await this.licenses.list(accountId, toLicenseQuery(query), request);
    return toListResponse(page, list, (license) => this.presenter.present(license));
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getLicense',
    summary: 'Read a license',
    description: "Another user's license is not found.",
  })
  @ApiOkResponse({ type: LicenseDto, description: 'The license' })
  @ApiErrors('LICENSE_NOT_FOUND')
  async get(
    @CurrentUser() { accountId }: Principal,
    @Param() { id }: IdParams,
  ): Promise<LicenseDto> {
    return this.presenter.present(await this.licenses.get(id, accountId));
  }

  @Get(':id/events')
  @ApiOperation({
    operationId: 'listLicenseEvents',
    summary: 'List what happened to a license',
    description: 'The newest first, a page at a time.',
  })
  @ApiOkResponse({ type: LicenseEventListResponse, description: 'A page of events' })
  @ApiErrors('LICENSE_NOT_FOUND')
  async listEvents(
    @CurrentUser() { accountId }: Principal,
    @Param() { id }: IdParams,
    @Query() query: PageQuery,
  ): Promise<LicenseEventListResponse> {
    const list = `events-${id}`;
    const request = toPageRequest(query, list);
    const page = await this.events.list(await this.licenses.get(id, accountId), request);
    return toListResponse(page, list, toLicenseEventDto);
  }

  @Post(':id/revoke')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiOperation({
    operationId: 'revokeLicense',
    summary: 'Revoke a license',
    description:
      'Once this response is sent, it validates as `revoked`. Revoking again changes nothing.',
  })
  @ApiOkResponse({ type: ChangedLicense, description: 'The license, REVOKED' })
  @ApiErrors('LICENSE_NOT_FOUND')
  async revoke(
    @CurrentUser() { accountId }: Principal,
    @Param() { id }: IdParams,
    @Body() { reason }: RevokeLicenseDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedLicense> {
    const license = await this.licenses.revoke(id, accountId, reason ?? null, idempotency);
    return {
      message: 'License revoked successfully',
      license: this.presenter.presentChanged(license),
    };
  }

  @Post(':id/renew')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiOperation({
    operationId: 'renewLicense',
    summary: 'Renew a license',
    description:
      'An ACTIVE license is extended from its end. An EXPIRED one begins a new term now, and is ACTIVE.',
  })
  @ApiOkResponse({ type: ChangedLicense, description: 'The license, ACTIVE' })
  @ApiErrors(
    'INVALID_DURATION',
    'LICENSE_NOT_FOUND',
    'LICENSE_NOT_ACTIVATED',
    'LICENSE_ALREADY_REVOKED',
    'LICENSE_TERM_TOO_LONG',
  )
  async renew(
    @CurrentUser() { accountId }: Principal,
    @Param() { id }: IdParams,
    @Body() { duration }: RenewLicenseDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedLicense> {
    const license = await this.licenses.renew(id, accountId, duration, idempotency);
    return {
      message: 'License renewed successfully',
      license: this.presenter.presentChanged(license),
    };
  }

  @Post(':id/reissue')
  @ApiIdempotencyKey()
  @ApiOperation({
    operationId: 'reissueLicense',
    summary: 'Replace a license by one with a new key',
    description:
      'For a key that leaked, or a machine that is gone: revokes the license and creates its replacement, ' +
      'PENDING and bound to no machine; both or neither.',
  })
  @ApiCreatedResponse({ type: ReissuedLicense, description: 'Both licenses' })
  @ApiErrors(
    'INVALID_DURATION',
    'LICENSE_NOT_FOUND',
    'LICENSE_ALREADY_REVOKED',
    'LICENSE_QUOTA_REACHED',
  )
  async reissue(
    @CurrentUser() { accountId }: Principal,
    @Param() { id }: IdParams,
    @Body() { duration }: ReissueLicenseDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ReissuedLicense> {
    const reissued = await this.licenses.reissue(id, accountId, duration ?? undefined, idempotency);
    return {
      message: 'License reissued successfully',
      revoked: this.presenter.presentChanged(reissued.revoked),
      license: this.presenter.presentChanged(reissued.license),
      certificateExpiresAt: endIfStillOut(reissued),
    };
  }
}

/** Until when a machine without a network may run, as of the reissue; null where no certificate is still out. */
function endIfStillOut({ revoked, lastCertificateEnd }: Reissued): Date | null {
  return lastCertificateEnd && lastCertificateEnd > revoked.revokedAt! ? lastCertificateEnd : null;
}

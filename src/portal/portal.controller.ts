import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account, CurrentUser } from '../auth/auth.decorators.js';
import type { UserPrincipal } from '../auth/principal.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { IdParam } from '../shared/fields/request.decorators.js';
import { Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { PutPortalDto } from './dto/portal.dto.js';
import { PortalDto, PortalLinkResponse, UpdatedPortal } from './dto/portal.response.js';
import { newPortal } from './portal.js';
import { PortalSessions } from './portal-sessions.service.js';
import { PortalSettingsService } from './portal-settings.service.js';

@ApiTags('portal')
@Controller()
export class PortalController {
  constructor(
    private readonly portals: PortalSettingsService,
    private readonly sessions: PortalSessions,
  ) {}

  @Get('portal')
  @Describe('Get the settings of your customer portal', 'Off until you turn it on.')
  @Responds(200, 'The settings', PortalDto)
  getPortal(@Account() accountId: AccountId): Promise<PortalDto> {
    return this.portals.get(accountId);
  }

  @Put('portal')
  @Describe(
    'Set up your customer portal',
    'Replaces all settings: a field you omit gets its default. Turning the portal off signs all clients out.',
  )
  @Responds(200, 'The settings', UpdatedPortal)
  @ApiErrors('PORTAL_NOT_CONFIGURED')
  async updatePortal(
    @CurrentUser() user: UserPrincipal,
    @Body() settings: PutPortalDto,
  ): Promise<UpdatedPortal> {
    const { showKey, releasesPer30Days } = newPortal(user.accountId, '', new Date(0));
    const portal = await this.portals.put(user, {
      ...{ showKey, releasesPer30Days },
      ...settings,
      supportUrl: settings.supportUrl ?? null,
      logo: settings.logo ?? null,
    });
    return { message: 'Portal updated', portal };
  }

  @Post('clients/:id/portal-link')
  @Describe(
    'Create a link that signs a client in to your portal',
    "The link works once and expires after 15 minutes. Anyone who has it can see the client's licenses. Give it only " +
      "to the client or the client's colleagues.",
  )
  @Responds(201, 'The link', PortalLinkResponse)
  @ApiErrors('CLIENT_NOT_FOUND', 'PORTAL_NOT_CONFIGURED', 'PORTAL_OFF')
  async createPortalLink(
    @CurrentUser() user: UserPrincipal,
    @Param() { id }: IdParam,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<PortalLinkResponse> {
    const created = await this.sessions.createLink(id, user, idempotency);
    return { message: 'Portal link created', ...created };
  }
}

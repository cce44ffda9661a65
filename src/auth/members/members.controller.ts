import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiErrors, Describe, Responds } from '../../openapi/decorators/api-route.js';
import { IdParam } from '../../shared/fields/request.decorators.js';
import { Idempotency } from '../../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../shared/ids.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { toApiKeyDto } from '../api-keys/dto/api-key.dto.js';
import { toWebhookDto } from '../../webhooks/dto/webhook.response.js';
import { Account, CurrentUser } from '../auth.decorators.js';
import type { UserPrincipal } from '../principal.js';
import {
  ChangedMember,
  InvitedMemberResponse,
  InviteMemberDto,
  MemberListResponse,
  RemovedMember,
  UpdateMemberDto,
} from './dto/member.dto.js';
import { MembersService } from './members.service.js';

@ApiTags('access')
@Controller('members')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly apiKeys: ApiKeysService,
  ) {}

  @Post()
  @Describe(
    'Invite a member',
    'If `mailed` is false, send the invitation yourself. Inviting the same address again replaces it. An account that ' +
      'tries too many taken addresses gets 429, whether or not this address has a login.',
  )
  @Responds(201, 'The invited member and the invitation', InvitedMemberResponse)
  @ApiErrors('EMAIL_ALREADY_REGISTERED', 'MEMBER_QUOTA_REACHED')
  async inviteMember(
    @CurrentUser() user: UserPrincipal,
    @Body() body: InviteMemberDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<InvitedMemberResponse> {
    const invited = await this.members.invite(user, body, idempotency);
    return { message: 'Member invited', ...invited };
  }

  @Get()
  @Describe('List the members of your account', 'All members and pending invitations, at most 100.')
  @Responds(200, 'The members', MemberListResponse)
  async listMembers(@Account() accountId: AccountId): Promise<MemberListResponse> {
    return { data: await this.members.list(accountId), nextCursor: null };
  }

  @Patch(':id')
  @Describe(
    'Change the role of a member',
    "Takes effect with the member's next request. The owner's role cannot be changed.",
  )
  @Responds(200, 'The updated member', ChangedMember)
  @ApiErrors('MEMBER_NOT_FOUND', 'MEMBER_IS_OWNER')
  async updateMember(
    @CurrentUser() user: UserPrincipal,
    @Param() { id }: IdParam,
    @Body() { role }: UpdateMemberDto,
  ): Promise<ChangedMember> {
    const member = await this.members.changeRole(id, role, user);
    return { message: 'Member updated', member };
  }

  @Delete(':id')
  @Describe(
    'Remove a member or withdraw an invitation',
    "Ends the member's sessions. API keys and webhooks that the member created keep working. Delete any whose secret " +
      'the member may know.',
  )
  @Responds(200, 'Member removed', RemovedMember)
  @ApiErrors('MEMBER_NOT_FOUND', 'MEMBER_IS_OWNER')
  async removeMember(
    @CurrentUser() user: UserPrincipal,
    @Param() { id }: IdParam,
  ): Promise<RemovedMember> {
    await this.members.remove(id, user);
    const apiKeys = await this.apiKeys.list(user.accountId);
    const ofMember = apiKeys.filter(({ createdBy }) => createdBy === id);
    const webhooks = await this.apiKeys.listWebhooksBy(id, user.accountId);
    return {
      message: 'Member removed',
      apiKeys: ofMember.map(toApiKeyDto),
      webhooks: webhooks.map(toWebhookDto),
    };
  }
}

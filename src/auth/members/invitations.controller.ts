import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiErrors, Describe, Responds } from '../../openapi/decorators/api-route.js';
import { ClientAddress } from '../../http/client-address.js';
import { UserAgent } from '../../http/user-agent.js';
import { InWorkClass } from '../../http/route-config.js';
import { RateLimit } from '../../limits/rate-limit.guard.js';
import { AuthService } from '../auth.service.js';
import { Public } from '../auth.decorators.js';
import { UserWithTokensResponse } from '../dto/tokens.response.js';
import { toUserDto } from '../dto/user.response.js';
import { AcceptInvitationDto } from './dto/member.dto.js';
import { InvitationsService } from './invitations.service.js';

@ApiTags('auth')
@Controller('auth/invitations')
export class InvitationsController {
  constructor(
    private readonly auth: AuthService,
    private readonly invitations: InvitationsService,
  ) {}

  @Post('accept')
  @InWorkClass('passwords')
  @Public()
  @RateLimit('registration')
  @Describe(
    'Accept an invitation and log in',
    'Creates a login that belongs to the account of the invitation, also where registration is closed.',
  )
  @Responds(201, 'The new member, with the tokens of the first session', UserWithTokensResponse)
  @ApiErrors(
    'INVALID_INVITATION',
    'EMAIL_ALREADY_REGISTERED',
    // The operator may reset the password or disable the login before the session starts.
    'INVALID_CREDENTIALS',
    'ACCOUNT_DISABLED',
  )
  async acceptInvitation(
    @ClientAddress() address: string,
    @UserAgent() userAgent: string | null,
    @Body() { invitation, ...joining }: AcceptInvitationDto,
  ): Promise<UserWithTokensResponse> {
    const joined = await this.invitations.accept(invitation, joining);
    const { user, tokens } = await this.auth.signIn(joined, address, userAgent);
    return { message: 'Invitation accepted successfully', user: toUserDto(user), ...tokens };
  }
}

import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiErrors, Describe, Responds } from '../../openapi/decorators/api-route.js';
import { IdParam } from '../../shared/fields/request.decorators.js';
import { CurrentUser } from '../auth.decorators.js';
import type { UserPrincipal } from '../principal.js';
import { SessionListResponse, toSessionDto } from './dto/session.response.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('auth')
@Controller('auth/sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @Describe('List your sessions', 'All of them, at most 100; the one used last comes first.')
  @Responds(200, 'Your sessions', SessionListResponse)
  async listSessions(@CurrentUser() user: UserPrincipal): Promise<SessionListResponse> {
    const sessions = await this.sessions.list(user);
    return { data: sessions.map((one) => toSessionDto(one, user.session)), nextCursor: null };
  }

  @Delete(':id')
  @Describe(
    'End one of your sessions',
    'Its access and refresh tokens are rejected from the next request on, on every instance.',
  )
  @Responds(204, 'It has ended')
  @ApiErrors('SESSION_NOT_FOUND')
  endSession(@CurrentUser() user: UserPrincipal, @Param() { id }: IdParam): Promise<void> {
    return this.sessions.endOne(id, user);
  }

  @Delete()
  @Describe(
    'End all of your other sessions',
    'As DELETE /auth/sessions/:id, for all but the present one.',
  )
  @Responds(204, 'They have ended')
  endOtherSessions(@CurrentUser() user: UserPrincipal): Promise<void> {
    return this.sessions.endOthers(user);
  }
}

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
  @Describe('List your sessions', 'At most 100 sessions, most recently used first.')
  @Responds(200, 'Your sessions', SessionListResponse)
  async listSessions(@CurrentUser() user: UserPrincipal): Promise<SessionListResponse> {
    const sessions = await this.sessions.list(user);
    return { data: sessions.map((one) => toSessionDto(one, user.session)), nextCursor: null };
  }

  @Delete(':id')
  @Describe(
    'End one of your sessions',
    'Its access and refresh tokens stop working immediately, on every instance.',
  )
  @Responds(204, 'Session ended')
  @ApiErrors('SESSION_NOT_FOUND')
  endSession(@CurrentUser() user: UserPrincipal, @Param() { id }: IdParam): Promise<void> {
    return this.sessions.endOne(id, user);
  }

  @Delete()
  @Describe(
    'End all your other sessions',
    'Like DELETE /auth/sessions/:id, for every session except the current one.',
  )
  @Responds(204, 'Sessions ended')
  endOtherSessions(@CurrentUser() user: UserPrincipal): Promise<void> {
    return this.sessions.endOthers(user);
  }
}

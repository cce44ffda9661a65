import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { Describe, Responds } from '../openapi/decorators/api-route.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { PageQuery, toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { AccountEventListResponse, toAccountEventDto } from './dto/license-event.response.js';
import { LicenseEventsService } from './license-events.service.js';

const LIST = 'events';

@ApiTags('licenses')
@Controller('events')
export class EventsController {
  constructor(private readonly events: LicenseEventsService) {}

  @Get()
  @Describe(
    'List what happened to your licenses',
    'The newest first, a page at a time. The end of a term is listed with its license alone.',
  )
  @Responds(200, 'A page of events', AccountEventListResponse)
  async listEvents(
    @Account() accountId: AccountId,
    @Query() query: PageQuery,
  ): Promise<AccountEventListResponse> {
    const page = await this.events.listOfAccount(accountId, toPageRequest(query, LIST));
    return toListResponse(page, LIST, toAccountEventDto);
  }
}

import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Account, Caller } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { Exports } from '../exports/exports.js';
import { Describe, Responds } from '../openapi/decorators/api-route.js';
import type { AccountId } from '../shared/ids.js';
import { toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { EventFilterQuery, EventListQuery, requireOne } from './dto/event-list.query.js';
import { EventListResponse, toEventDto } from './dto/event.response.js';
import { EventsService } from './events.service.js';

const LIST = 'events';

@ApiTags('events')
@Controller()
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly exports: Exports,
  ) {}

  @Get('events')
  @Describe(
    'List what happened in your account',
    'The newest first, a page at a time. With `type` a page may be short, and even empty, while `nextCursor` leads to more.',
  )
  @Responds(200, 'A page of events', EventListResponse)
  async listEvents(
    @Account() accountId: AccountId,
    @Query() query: EventListQuery,
  ): Promise<EventListResponse> {
    requireOne(query);
    const page = await this.events.list(accountId, query, toPageRequest(query, LIST));
    return toListResponse(page, LIST, toEventDto);
  }

  @Get('events.ndjson')
  @Describe(
    'Export what happened in your account',
    'One event a line as JSON, the oldest first. One export at a time; a page of it is read once you have taken the one before.',
  )
  @ApiResponse({
    status: 200,
    description: 'The events, one a line',
    content: { 'application/x-ndjson': { schema: { type: 'string' } } },
  })
  exportEvents(@Caller() caller: Principal, @Query() query: EventFilterQuery): StreamableFile {
    requireOne(query);
    return this.exports.file(caller, 'events.ndjson', 'application/x-ndjson', async (page) => {
      const { data, next } = await this.events.list(caller.accountId, query, page, 'asc');
      return { data: data.map((event) => `${JSON.stringify(toEventDto(event))}\n`), next };
    });
  }
}

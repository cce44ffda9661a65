import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { Exports } from '../exports/exports.js';
import { Describe, Responds } from '../openapi/decorators/api-route.js';
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
    'List the events of your account',
    'Paginated, newest first. Only owners and admins see events about accounts, members, API keys and sessions. For ' +
      'everyone else, and if you send `type`, a page can be short or empty even though more follow: request pages until ' +
      '`nextCursor` is null.',
  )
  @Responds(200, 'A page of events', EventListResponse)
  async listEvents(
    @Caller() caller: Principal,
    @Query() query: EventListQuery,
  ): Promise<EventListResponse> {
    requireOne(query);
    const page = await this.events.list(caller, query, toPageRequest(query, LIST));
    return toListResponse(page, LIST, toEventDto);
  }

  @Get('events.ndjson')
  @Describe(
    'Export the events of your account',
    'The same events as JSON, one per line, oldest first. The response is streamed and can take up to 10 minutes. An account can run one export at a time.',
  )
  @ApiResponse({
    status: 200,
    description: 'The events, one per line',
    content: { 'application/x-ndjson': { schema: { type: 'string' } } },
  })
  exportEvents(@Caller() caller: Principal, @Query() query: EventFilterQuery): StreamableFile {
    requireOne(query);
    return this.exports.file(caller, 'events.ndjson', 'application/x-ndjson', async (page) => {
      const { data, next } = await this.events.list(caller, query, page, 'asc');
      return { data: data.map((event) => `${JSON.stringify(toEventDto(event))}\n`), next };
    });
  }
}

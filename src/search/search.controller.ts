import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { Describe, Responds } from '../openapi/decorators/api-route.js';
import { SearchDto, FoundRecords } from './dto/search.dto.js';
import { SearchService } from './search.service.js';

@ApiTags('search')
@Controller('search')
export class SearchController {
  constructor(private readonly found: SearchService) {}

  @Post()
  @Describe(
    'Search licenses, machines, clients, projects and plans',
    'The query is in the body so that license keys do not end up in logs. Searches for distinct unknown keys are limited per account. ' +
      'API keys find clients, projects and plans only with `clients:read`, `projects:read` and `plans:read`.',
  )
  @Responds(200, 'The results', FoundRecords)
  async search(@Caller() caller: Principal, @Body() { q }: SearchDto): Promise<FoundRecords> {
    return { data: await this.found.search(caller, q) };
  }
}

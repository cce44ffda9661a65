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
    'A body, because license keys in addresses end up in logs. An account has a limit for distinct unknown keys. An API key finds ' +
      'clients, projects and plans only with `clients:read`, `projects:read` and `plans:read`.',
  )
  @Responds(200, 'What was found', FoundRecords)
  async search(@Caller() caller: Principal, @Body() { q }: SearchDto): Promise<FoundRecords> {
    return { data: await this.found.search(caller, q) };
  }
}

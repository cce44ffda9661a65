import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { Describe, Responds } from '../openapi/decorators/api-route.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { SearchDto, FoundRecords } from './dto/search.dto.js';
import { SearchService } from './search.service.js';

@ApiTags('search')
@Controller('search')
export class SearchController {
  constructor(private readonly found: SearchService) {}

  @Post()
  @Describe(
    'Search licenses, clients and projects',
    'A body, because license keys in addresses end up in logs. An account has a limit for distinct unknown keys.',
  )
  @Responds(200, 'What was found', FoundRecords)
  async search(@Account() accountId: AccountId, @Body() { q }: SearchDto): Promise<FoundRecords> {
    return { data: await this.found.search(accountId, q) };
  }
}

import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { InWorkClass } from '../http/route-config.js';
import { ImportConflictLimiter } from '../limits/conflict-limiters.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { ImportDto, ImportResponse } from './dto/import.dto.js';
import { Imports } from './imports.service.js';

@ApiTags('licenses')
@Controller('licenses/import')
export class ImportsController {
  constructor(
    private readonly imports: Imports,
    private readonly conflicts: ImportConflictLimiter,
    private readonly config: Config,
  ) {}

  @Post()
  @InWorkClass('imports')
  @Describe(
    'Import licenses with their existing keys',
    'Imports up to 100 licenses from another system with their clients, projects and machines; at most 1 MiB. Each row ' +
      'is committed separately and has its own outcome. Send the same rows again to continue: `Idempotency-Key` is ' +
      'ignored, because `source` and `ref` replace it. An ' +
      'account can run one import at a time.',
  )
  @Responds(200, 'The outcome of each row', ImportResponse)
  @ApiErrors('IMPORT_OFF')
  importLicenses(
    @Caller() { accountId }: Principal,
    @Body() body: ImportDto,
  ): Promise<ImportResponse> {
    if (!this.config.takesImports) throw new DomainError('IMPORT_OFF');
    const { mode, ...request } = body;
    const conflicts = mode === 'create' ? this.conflicts : undefined;
    return this.imports.run({ ...request, accountId, conflicts });
  }
}

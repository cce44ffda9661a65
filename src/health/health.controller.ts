import { Controller, Get } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/auth.decorators.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { InWorkClass } from '../http/work-class.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { HealthService } from './health.service.js';

export class HealthResponse {
  @ApiProperty({ description: 'Always `ok`', type: String, example: 'ok' })
  status!: 'ok';
}

@ApiTags('health')
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @InWorkClass('healthChecks')
  @Describe(
    'Check that the process runs',
    'Checks nothing else. For what restarts a process that hangs.',
  )
  @Responds(200, 'It does', HealthResponse)
  getLiveness(): HealthResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @InWorkClass('healthChecks')
  @Describe(
    'Check that the service can serve',
    'Ready while its store responds and it is not shutting down. For load balancers.',
  )
  @Responds(200, 'It can', HealthResponse)
  @ApiErrors('STORE_UNAVAILABLE', 'SHUTTING_DOWN')
  async getReadiness(): Promise<HealthResponse> {
    const failure = await this.health.findFailure();
    if (failure) throw new DomainError(failure);
    return { status: 'ok' };
  }
}

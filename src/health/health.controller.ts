import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/auth.decorators.js';
import { ApiErrors } from '../openapi/decorators/api-errors.decorator.js';
import { HealthCheckRoute } from '../server/overload/work-class.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { HealthService } from './health.service.js';

/** Response of a successful health check. */
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
  @HealthCheckRoute()
  @ApiOperation({
    operationId: 'getLiveness',
    summary: 'Check that the process runs',
    description: 'Checks nothing else. For what restarts a process that hangs.',
  })
  @ApiOkResponse({ type: HealthResponse, description: 'It does' })
  live(): HealthResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @HealthCheckRoute()
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Check that the service can serve',
    description: 'Ready while its store responds and it is not shutting down. For load balancers.',
  })
  @ApiOkResponse({ type: HealthResponse, description: 'It can' })
  @ApiErrors('STORE_UNAVAILABLE', 'SHUTTING_DOWN')
  async ready(): Promise<HealthResponse> {
    const failure = await this.health.findFailure();
    if (failure) throw new DomainError(failure);
    return { status: 'ok' };
  }
}

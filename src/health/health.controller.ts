import { Controller, Get, type OnModuleDestroy } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/auth.decorators.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { InWorkClass } from '../http/route-config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { withDeadline } from '../shared/request-context.js';
import { VERSION } from '../shared/version.js';
import { Store } from '../storage/store.js';

/** Timeout of a store query, in milliseconds. */
const TIMEOUT = 2000;
/** How long a query result is reused, in milliseconds, however often readiness is requested. */
const CACHE_MS = 250;

export class HealthResponse {
  @ApiProperty({ description: 'Always `ok`', type: String, example: 'ok' })
  status!: 'ok';

  @ApiProperty({ description: 'Version of the service', example: '1.0.0' })
  version!: string;
}

const OK: HealthResponse = { status: 'ok', version: VERSION };

@ApiTags('health')
@Public()
@Controller('health')
export class HealthController implements OnModuleDestroy {
  private isShuttingDown = false;
  private sample: Promise<boolean> | undefined;

  constructor(private readonly store: Store) {}

  onModuleDestroy(): void {
    this.isShuttingDown = true;
  }

  @Get('live')
  @InWorkClass('healthChecks')
  @Describe('Check that the process is running', 'Checks nothing else. Use it as a liveness probe.')
  @Responds(200, 'The process is running', HealthResponse)
  getLiveness(): HealthResponse {
    return OK;
  }

  @Get('ready')
  @InWorkClass('healthChecks')
  @Describe(
    'Check that the service can handle requests',
    'Ready if the database responds and this instance is not shutting down. Use it as a readiness probe or in a load balancer.',
  )
  @Responds(200, 'The service is ready', HealthResponse)
  @ApiErrors('STORE_UNAVAILABLE', 'SHUTTING_DOWN')
  async getReadiness(): Promise<HealthResponse> {
    if (this.isShuttingDown) throw new DomainError('SHUTTING_DOWN');
    if (!(await this.isStoreReachable())) throw new DomainError('STORE_UNAVAILABLE');
    return OK;
  }

  private isStoreReachable(): Promise<boolean> {
    this.sample ??= this.ping().finally(() => {
      setTimeout(() => (this.sample = undefined), CACHE_MS).unref();
    });
    return this.sample;
  }

  private ping(): Promise<boolean> {
    return withDeadline(performance.now() + TIMEOUT, this.store.ping()).then(
      () => true,
      () => false,
    );
  }
}

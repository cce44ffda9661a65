import { Controller, Get, type OnModuleDestroy } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/auth.decorators.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { InWorkClass } from '../http/route-config.js';
import { DomainError } from '../shared/errors/domain-error.js';
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
  @Describe(
    'Check that the process runs',
    'Checks nothing else. For what restarts a process that hangs.',
  )
  @Responds(200, 'It does', HealthResponse)
  getLiveness(): HealthResponse {
    return OK;
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
    const timeout = new Promise<boolean>((resolve) => {
      setTimeout(resolve, TIMEOUT, false).unref();
    });
    const ping = this.store.ping().then(
      () => true,
      () => false,
    );
    return Promise.race([ping, timeout]);
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import type { Logger } from 'pino';
import { ActivationModule } from './activation/activation.module.js';
import { ValidationLimitGuard } from './activation/validation-limit.guard.js';
import { AuthModule } from './auth/auth.module.js';
import { AccessGuard } from './auth/access/access.guard.js';
import { AuthenticationGuard } from './auth/access/authentication.guard.js';
import { RestoresModule } from './bin/restores.module.js';
import { CertificatesModule } from './certificates/certificates.module.js';
import { ClientsModule } from './clients/clients.module.js';
import { COLLECTIONS } from './collections.js';
import { ConsoleModule } from './console/console.module.js';
import { CustomerMailModule } from './customer-mail/customer-mail.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './health/health.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { LinksModule } from './links/links.module.js';
import { LicensesModule } from './licenses/licenses.module.js';
import { MailModule } from './mail/mail.module.js';
import { PlansModule } from './plans/plans.module.js';
import { PortalModule } from './portal/portal.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import type { Config } from './shared/config/config.js';
import { ErrorFilter } from './http/error.filter.js';
import { Capacity, Connections } from './http/capacity.js';
import { GracefulShutdown } from './http/graceful-shutdown.js';
import { MetricsServer } from './metrics/metrics-server.js';
import { StoreGauges } from './monitoring/store-gauges.job.js';
import { RejectionMetrics } from './http/rejection-metrics.js';
import { ThrottlerModule } from '@nestjs/throttler';
import { RateLimitGuard, RouteLimits } from './limits/rate-limit.guard.js';
import { DtoValidationPipe, InputGuard } from './http/validation/validation.pipe.js';
import { SearchModule } from './search/search.module.js';
import { type Metrics, NO_METRICS } from './metrics/metrics.js';
import { Deadline } from './shared/request-context.js';
import { SharedModule } from './shared/shared.module.js';
import { StorageModule } from './storage/storage.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The application: every feature, and the guards, pipe and filter that apply to every route. */
@Module({})
export class AppModule {
  static forRoot(config: Config, logger: Logger, metrics: Metrics = NO_METRICS): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SharedModule.forRoot(config, logger, metrics),
        StorageModule.forRoot(config, COLLECTIONS),
        ThrottlerModule.forRootAsync({ useClass: RouteLimits }),
        AuthModule,
        ClientsModule,
        PortalModule,
        LinksModule,
        ProjectsModule,
        RestoresModule,
        PlansModule,
        // Before the routes that take an id, because `import` is not an id.
        ImportsModule,
        LicensesModule,
        CertificatesModule,
        ActivationModule,
        DashboardModule,
        EventsModule,
        WebhooksModule,
        CustomerMailModule,
        MailModule,
        SearchModule,
        HealthModule,
        ...(config.console ? [ConsoleModule] : []),
      ],
      providers: [
        // Guards run in this order. Rate limits follow authentication, because they count writes by account.
        AuthenticationGuard,
        { provide: APP_GUARD, useExisting: AuthenticationGuard },
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: ValidationLimitGuard },
        { provide: APP_GUARD, useClass: InputGuard },
        { provide: APP_PIPE, useClass: DtoValidationPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
        Deadline,
        MetricsServer,
        StoreGauges,
        RejectionMetrics,
        GracefulShutdown,
        Connections,
        { provide: Capacity, useValue: new Capacity() },
      ],
    };
  }
}

import { Module } from '@nestjs/common';
import { Backlogs } from './backlogs.job.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';
import { DeliveriesService } from './deliveries.service.js';
import { Deliveries } from './deliveries.job.js';
import { EventEffectsModule } from './event-effects.module.js';
import { AddressResolver } from './sending/resolver.js';
import { AttemptTimeout, Sender } from './sending/sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [EventEffectsModule],
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    DeliveriesService,
    Backlogs,
    Deliveries,
    DeliveryAttempts,
    Sender,
    AddressResolver,
    AttemptTimeout,
  ],
})
export class WebhooksModule {}

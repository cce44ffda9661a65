import { Module } from '@nestjs/common';
import { Backlogs } from './backlogs.service.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveriesWorker } from './deliveries.worker.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { HandingOn } from './handing-on.worker.js';
import { MessagesModule } from './messages.module.js';
import { AddressResolver } from './sending/resolver.js';
import { AttemptTimeout, Sender } from './sending/sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [MessagesModule],
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    DeliveriesService,
    Backlogs,
    HandingOn,
    DeliveriesWorker,
    DeliveryMetrics,
    Sender,
    AddressResolver,
    AttemptTimeout,
  ],
})
export class WebhooksModule {}

import { Module } from '@nestjs/common';
import { Backlogs } from './backlogs.job.js';
import { Deliveries } from './deliveries.job.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';
import { EventEffectsModule } from './event-effects.service.js';
import { FanOuts } from './fan-outs.job.js';
import { Sender } from './sending/sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [EventEffectsModule],
  controllers: [WebhooksController],
  providers: [WebhooksService, Backlogs, FanOuts, Deliveries, DeliveryAttempts, Sender],
})
export class WebhooksModule {}

import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { EventRetention } from './event-retention.job.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

@Module({
  imports: [ExportsModule],
  controllers: [EventsController],
  providers: [EventsService, EventRetention],
  exports: [EventsService],
})
export class EventsModule {}

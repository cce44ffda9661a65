import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../shared/idempotency/idempotency.module.js';
import { ClientsController } from './clients.controller.js';
import { ClientsService } from './clients.service.js';
import { EmailConflictLimiter } from './email-conflict-limiter.js';

@Module({
  imports: [IdempotencyModule],
  controllers: [ClientsController],
  providers: [ClientsService, EmailConflictLimiter],
})
export class ClientsModule {}

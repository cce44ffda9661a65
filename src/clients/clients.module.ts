import { Module } from '@nestjs/common';
import { ClientsController } from './clients.controller.js';
import { ClientsService } from './clients.service.js';
import { EmailConflictLimiter } from '../limits/email-conflict-limiter.js';

@Module({
  controllers: [ClientsController],
  providers: [ClientsService, EmailConflictLimiter],
  exports: [ClientsService],
})
export class ClientsModule {}

import { Module } from '@nestjs/common';
import { MailQueue } from './mail-queue.job.js';
import { MailsController } from './mails.controller.js';
import { MailsService } from './mails.service.js';

@Module({
  controllers: [MailsController],
  providers: [MailsService, MailQueue],
})
export class MailModule {}

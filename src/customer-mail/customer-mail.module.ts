import { Module } from '@nestjs/common';
import { MailTemplatesController } from './mail-templates.controller.js';
import { MailTemplates } from './mail-templates.service.js';

@Module({
  controllers: [MailTemplatesController],
  providers: [MailTemplates],
})
export class CustomerMailModule {}

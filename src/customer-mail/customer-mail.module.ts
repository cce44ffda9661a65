import { Module } from '@nestjs/common';
import { LicensesModule } from '../licenses/licenses.module.js';
import { KeyMailController } from './key-mail.controller.js';
import { KeyMail } from './key-mail.service.js';
import { MailTemplatesController } from './mail-templates.controller.js';
import { MailTemplates } from './mail-templates.service.js';

@Module({
  imports: [LicensesModule],
  controllers: [MailTemplatesController, KeyMailController],
  providers: [MailTemplates, KeyMail],
  exports: [KeyMail],
})
export class CustomerMailModule {}

import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../shared/idempotency/idempotency.module.js';
import { LicenseEventsService } from './license-events.service.js';
import { LicenseIssuer } from './license-issuer.service.js';
import { LicenseKeyService } from './license-key.service.js';
import { LicensePresenter } from './license.presenter.js';
import { LicensesController } from './licenses.controller.js';
import { LicensesService } from './licenses.service.js';

@Module({
  imports: [IdempotencyModule],
  controllers: [LicensesController],
  providers: [
    LicensesService,
    LicenseEventsService,
    LicenseIssuer,
    LicenseKeyService,
    LicensePresenter,
  ],
  exports: [LicenseIssuer, LicenseKeyService, LicensePresenter],
})
export class LicensesModule {}

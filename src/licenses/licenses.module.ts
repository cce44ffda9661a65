import { Module } from '@nestjs/common';
import { LicenseEventsService } from './license-events.service.js';
import { LicenseIssuer } from './license-issuer.service.js';
import { LicenseKeyService } from './license-key.service.js';
import { LicensePresenter } from './license.presenter.js';
import { LicensesController } from './licenses.controller.js';
import { LicensesService } from './licenses.service.js';

@Module({
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

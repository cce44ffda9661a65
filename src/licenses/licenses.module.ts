import { Module } from '@nestjs/common';
import { EventsController } from './events.controller.js';
import { LicenseEventsService } from './license-events.service.js';
import { LicenseKeyService } from './license-key.service.js';
import { LicenseReader } from './license-reader.js';
import { LicensePresenter } from './license.presenter.js';
import { LicensesController } from './licenses.controller.js';
import { LicensesService } from './licenses.service.js';

const SHARED = [LicenseEventsService, LicenseKeyService, LicensePresenter, LicenseReader];

@Module({
  controllers: [LicensesController, EventsController],
  providers: [LicensesService, ...SHARED],
  exports: SHARED,
})
export class LicensesModule {}

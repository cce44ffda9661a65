import { Module } from '@nestjs/common';
import { EventsController } from './events.controller.js';
import { PlansModule } from '../plans/plans.module.js';
import { ExternalIds } from './external-ids.js';
import { LicenseEventsService } from './license-events.service.js';
import { LicenseKeyService } from './license-key.service.js';
import { LicenseReader } from './license-reader.js';
import { LicensePresenter } from './license.presenter.js';
import { LicenseExportController } from './license-export.controller.js';
import { LicenseExport } from './license-export.service.js';
import { LicenseMachinesController } from './license-machines.controller.js';
import { LicensesController } from './licenses.controller.js';
import { UnknownKeyLimiter } from './unknown-key-limiter.js';
import { LicensesService } from './licenses.service.js';

const SHARED = [
  LicensesService,
  UnknownKeyLimiter,
  ExternalIds,
  LicenseEventsService,
  LicenseKeyService,
  LicensePresenter,
  LicenseReader,
];

@Module({
  imports: [PlansModule],
  controllers: [
    LicensesController,
    LicenseExportController,
    LicenseMachinesController,
    EventsController,
  ],
  providers: [...SHARED, LicenseExport],
  exports: SHARED,
})
export class LicensesModule {}

import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { ExportsModule } from '../exports/exports.module.js';
import { MachinesModule } from '../machines/machines.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ExpiryNotices } from './expiry-notices.job.js';
import { DtoValidationPipe } from '../http/validation/validation.pipe.js';
import { LicenseBatchController } from './license-batch.controller.js';
import { LicenseBatches } from './license-batches.service.js';
import { LicenseKeyService } from './license-key.service.js';
import { LicenseReader } from './license-reader.js';
import { LicensePresenter } from './license.presenter.js';
import { LicenseExportController } from './license-export.controller.js';
import { LicenseMachinesController } from './license-machines.controller.js';
import { LicenseMachines } from './license-machines.service.js';
import { LicensesController } from './licenses.controller.js';
import { UnknownKeyLimiter } from '../limits/unknown-key-limiter.js';
import { LicensesService } from './licenses.service.js';

const SHARED = [
  LicensesService,
  UnknownKeyLimiter,
  LicenseKeyService,
  LicenseMachines,
  LicensePresenter,
  LicenseReader,
];

@Module({
  imports: [EventsModule, ExportsModule, MachinesModule, PlansModule],
  controllers: [
    LicensesController,
    LicenseBatchController,
    LicenseExportController,
    LicenseMachinesController,
  ],
  providers: [...SHARED, LicenseBatches, DtoValidationPipe, ExpiryNotices],
  exports: SHARED,
})
export class LicensesModule {}

import { Module } from '@nestjs/common';
import { DtoValidationPipe } from '../http/validation/validation.pipe.js';
import { LicensesModule } from '../licenses/licenses.module.js';
import { ImportConflictLimiter } from '../limits/conflict-limiters.js';
import { MachinesModule } from '../machines/machines.module.js';
import { ExportsModule } from '../exports/exports.module.js';
import { LicenseRowsController } from './license-rows.controller.js';
import { LicenseRows } from './license-rows.service.js';
import { ImportsController } from './imports.controller.js';
import { Imports } from './imports.service.js';
import { RowImports } from './row-imports.service.js';
import { RowReader } from './row-reader.service.js';

@Module({
  imports: [ExportsModule, LicensesModule, MachinesModule],
  controllers: [ImportsController, LicenseRowsController],
  providers: [
    LicenseRows,
    Imports,
    RowImports,
    RowReader,
    DtoValidationPipe,
    ImportConflictLimiter,
  ],
  exports: [Imports],
})
export class ImportsModule {}

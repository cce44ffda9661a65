import { Module } from '@nestjs/common';
import { LicensesModule } from '../licenses/licenses.module.js';
import { EmailConflictLimiter } from '../limits/conflict-limiters.js';
import { MachinesModule } from '../machines/machines.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { BinController } from './bin.controller.js';
import { BinModule } from './bin.module.js';
import { BinRetention } from './bin-retention.job.js';
import { Restores } from './restores.service.js';

/** The routes of the bin. */
@Module({
  imports: [BinModule, LicensesModule, MachinesModule, ProjectsModule],
  controllers: [BinController],
  providers: [Restores, BinRetention, EmailConflictLimiter],
})
export class RestoresModule {}

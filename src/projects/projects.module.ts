import { Module } from '@nestjs/common';
import { BinModule } from '../bin/bin.module.js';
import { LicensesModule } from '../licenses/licenses.module.js';
import { MachinesModule } from '../machines/machines.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ProjectTasks } from './project-tasks.job.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [BinModule, LicensesModule, MachinesModule, PlansModule],
  controllers: [ProjectsController],
  providers: [ProjectsService, ProjectTasks],
  exports: [ProjectsService, ProjectTasks],
})
export class ProjectsModule {}

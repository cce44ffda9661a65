import { Module } from '@nestjs/common';
import { LicensesModule } from '../licenses/licenses.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ProjectTasksWorker } from './project-tasks.worker.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [LicensesModule, PlansModule],
  controllers: [ProjectsController],
  providers: [ProjectsService, ProjectTasksWorker],
  exports: [ProjectsService, ProjectTasksWorker],
})
export class ProjectsModule {}

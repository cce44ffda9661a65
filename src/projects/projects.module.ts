import { Module } from '@nestjs/common';
import { LicensesModule } from '../licenses/licenses.module.js';
import { ProjectTasksWorker } from './project-tasks.worker.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [LicensesModule],
  controllers: [ProjectsController],
  providers: [ProjectsService, ProjectTasksWorker],
  exports: [ProjectsService, ProjectTasksWorker],
})
export class ProjectsModule {}

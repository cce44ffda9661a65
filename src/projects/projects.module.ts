import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { ClientDeletionController } from './client-deletion.controller.js';
import { LicensesModule } from '../licenses/licenses.module.js';
import { MachinesModule } from '../machines/machines.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ProjectTasks } from './project-tasks.job.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [ClientsModule, LicensesModule, MachinesModule, PlansModule],
  controllers: [ProjectsController, ClientDeletionController],
  providers: [ProjectsService, ProjectTasks],
  exports: [ProjectsService, ProjectTasks],
})
export class ProjectsModule {}

import { Module } from '@nestjs/common';
import { LicensesModule } from '../licenses/licenses.module.js';
import { DeletedLicensesWorker } from './deleted-licenses.worker.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [LicensesModule],
  controllers: [ProjectsController],
  providers: [ProjectsService, DeletedLicensesWorker],
})
export class ProjectsModule {}

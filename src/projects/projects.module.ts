import { Module } from '@nestjs/common';
import { LicensesModule } from '../licenses/licenses.module.js';
import { IdempotencyModule } from '../shared/idempotency/idempotency.module.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [IdempotencyModule, LicensesModule],
  controllers: [ProjectsController],
  providers: [ProjectsService],
})
export class ProjectsModule {}

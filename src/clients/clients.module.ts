import { Module } from '@nestjs/common';
import { BinModule } from '../bin/bin.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ClientsController } from './clients.controller.js';
import { ClientPersonalData } from './personal-data.service.js';
import { ClientsService } from './clients.service.js';
import { EmailConflictLimiter } from '../limits/conflict-limiters.js';

@Module({
  imports: [BinModule, ProjectsModule],
  controllers: [ClientsController],
  providers: [ClientsService, ClientPersonalData, EmailConflictLimiter],
})
export class ClientsModule {}

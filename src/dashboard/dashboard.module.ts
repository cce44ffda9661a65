import { Module } from '@nestjs/common';
import { LicensesModule } from '../licenses/licenses.module.js';
import { DashboardController } from './dashboard.controller.js';
import { DashboardService } from './dashboard.service.js';

@Module({
  imports: [LicensesModule],
  controllers: [DashboardController],
  providers: [DashboardService],
})
export class DashboardModule {}

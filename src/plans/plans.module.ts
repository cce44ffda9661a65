import { Module } from '@nestjs/common';
import { PlanReader } from './plan-reader.js';
import { PlansController } from './plans.controller.js';
import { PlansService } from './plans.service.js';

@Module({
  controllers: [PlansController],
  providers: [PlansService, PlanReader],
  exports: [PlanReader],
})
export class PlansModule {}

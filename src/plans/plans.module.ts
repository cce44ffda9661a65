import { Module } from '@nestjs/common';
import { PlanReader } from './plan-reader.js';

@Module({ providers: [PlanReader], exports: [PlanReader] })
export class PlansModule {}

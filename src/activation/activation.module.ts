import { Module } from '@nestjs/common';
import { LicensesModule } from '../licenses/licenses.module.js';
import { ActivationController } from './activation.controller.js';
import { ActivationService } from './activation.service.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { UnknownKeyLimiter } from './unknown-key-limiter.js';
import { ValidationLimiter } from './validation-limiter.js';

@Module({
  imports: [LicensesModule],
  controllers: [ActivationController],
  providers: [ActivationService, MachineIdProvider, UnknownKeyLimiter, ValidationLimiter],
})
export class ActivationModule {}

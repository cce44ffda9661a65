import { Module } from '@nestjs/common';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { LicensesModule } from '../licenses/licenses.module.js';
import { ActivationController } from './activation.controller.js';
import { ActivationService } from './activation.service.js';
import { LicenseCertificatesController } from './license-certificates.controller.js';
import { MachineSeats } from './machine-seats.service.js';
import { MachinesModule } from '../machines/machines.module.js';
import { LicenseChecks } from './license-checks.service.js';
import { LicenseCertificates } from './license-certificates.service.js';
import { MachinesController } from './machines.controller.js';
import { MachinesService } from './machines.service.js';
import { OutcomeMetrics } from './outcome-metrics.js';
import { Trials } from './trials.service.js';

@Module({
  imports: [LicensesModule, MachinesModule, CertificatesModule],
  controllers: [ActivationController, MachinesController, LicenseCertificatesController],
  providers: [
    ActivationService,
    LicenseCertificates,
    LicenseChecks,
    MachineSeats,
    MachinesService,
    OutcomeMetrics,
    Trials,
  ],
})
export class ActivationModule {}

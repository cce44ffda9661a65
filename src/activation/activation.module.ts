import { Module } from '@nestjs/common';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { LicensesModule } from '../licenses/licenses.module.js';
import { ActivationController } from './activation.controller.js';
import { ActivationService } from './activation.service.js';
import { KeyAtAddress } from './key-at-address.js';
import { LicenseCertificatesController } from './license-certificates.controller.js';
import { LastSeen } from './last-seen.service.js';
import { LicenseChecks } from './license-checks.service.js';
import { LicenseCertificates } from './license-certificates.service.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { MachinesController } from './machines.controller.js';
import { MachinesService } from './machines.service.js';
import { OutcomeMetrics } from './outcome-metrics.js';
import { Trials } from './trials.service.js';

@Module({
  imports: [LicensesModule, CertificatesModule],
  controllers: [ActivationController, MachinesController, LicenseCertificatesController],
  providers: [
    ActivationService,
    KeyAtAddress,
    LicenseCertificates,
    LastSeen,
    LicenseChecks,
    MachineIdProvider,
    MachinesService,
    OutcomeMetrics,
    Trials,
  ],
})
export class ActivationModule {}

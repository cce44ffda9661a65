import { Module } from '@nestjs/common';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { CountedEventsModule } from '../events/counted-events.service.js';
import { LicensesModule } from '../licenses/licenses.module.js';
import { MachinesModule } from '../machines/machines.module.js';
import { ActivationController } from './activation.controller.js';
import { ActivationService } from './activation.service.js';
import { LicenseCertificatesController } from './license-certificates.controller.js';
import { LicenseCertificates } from './license-certificates.service.js';
import { Licensees } from './licensees.service.js';
import { LicenseChecks } from './license-checks.service.js';

@Module({
  imports: [LicensesModule, MachinesModule, CertificatesModule, CountedEventsModule],
  controllers: [ActivationController, LicenseCertificatesController],
  providers: [ActivationService, LicenseCertificates, LicenseChecks, Licensees],
})
export class ActivationModule {}

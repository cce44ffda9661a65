import { Global, Module } from '@nestjs/common';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { LicensePresenter } from '../licenses/license.presenter.js';
import { Machines } from '../machines/machines.service.js';
import { Effects } from '../storage/decisions.js';
import { EventEffects } from './event-effects.service.js';

/** Provides the effects of events to the decisions of every process that changes something, the commands of the operator included. */
@Global()
@Module({
  providers: [
    { provide: Effects, useClass: EventEffects },
    LicensePresenter,
    LicenseKeyService,
    Machines,
  ],
  exports: [Effects],
})
export class EventEffectsModule {}

import { Module } from '@nestjs/common';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { LicensePresenter } from '../licenses/license.presenter.js';
import { Machines } from '../machines/machines.service.js';
import { Messages } from './messages.service.js';

/** Stores messages with events: what every process does that changes something, the commands of the operator included. */
@Module({ providers: [Messages, LicensePresenter, LicenseKeyService, Machines] })
export class MessagesModule {}

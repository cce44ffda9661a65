import { Module } from '@nestjs/common';
import { LastSeen } from './last-seen.service.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { Machines } from './machines.service.js';
import { Seats } from './seats.service.js';

const PROVIDERS = [LastSeen, MachineIdProvider, Machines, Seats];

@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class MachinesModule {}

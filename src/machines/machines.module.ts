import { Module } from '@nestjs/common';
import { LastSeen } from './last-seen.service.js';
import { MachineIdProvider } from './machine-id.provider.js';
import { MachineQuota } from './machine-quota.js';
import { Machines } from './machines.service.js';
import { Seats } from './seats.service.js';

const SHARED = [LastSeen, MachineIdProvider, Machines, Seats];

@Module({ providers: [...SHARED, MachineQuota], exports: SHARED })
export class MachinesModule {}

import { Global, Module } from '@nestjs/common';
import { pino } from 'pino';
import { StoreLog } from '../../src/shared/logging/store-log.js';
import { Metrics, NO_METRICS } from '../../src/metrics/metrics.js';
import { MemoryWindows } from '../../src/rate-limits/memory-windows.js';
import { DataKeys } from '../../src/shared/sealing/data-keys.js';
import { SystemClock } from '../../src/shared/time/clock.js';

const PROVIDERS = [
  { provide: Metrics, useValue: NO_METRICS },
  { provide: DataKeys, useValue: new DataKeys(Buffer.alloc(96, 1)) },
  { provide: StoreLog, useValue: new StoreLog(pino({ level: 'silent' })) },
  { provide: MemoryWindows, useFactory: () => new MemoryWindows(new SystemClock()) },
];

/** What the engines need of the application. */
@Global()
@Module({ providers: PROVIDERS, exports: PROVIDERS.map(({ provide }) => provide) })
export class SharedModule {}

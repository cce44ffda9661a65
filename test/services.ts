import type { Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { MachineIdProvider } from '../src/activation/machine-id.provider.js';
import { AppModule } from '../src/app.module.js';
import { PasswordHasher } from '../src/auth/passwords/password-hasher.js';
import { loadConfig } from '../src/shared/config/load-config.js';
import { createLogger } from '../src/shared/logging/logger.js';
import { Clock } from '../src/shared/time/clock.js';
import { SqliteStore } from '../src/storage/sqlite/connection/sqlite-store.js';
import { cheapPasswords } from './cheap-passwords.js';
import { ModelStore } from './contract/model-store.js';
import { SECRETS } from './engines.js';
import { FakeClock } from './fake-clock.js';
import { NO_LIMITS } from './no-limits.js';

/** The services of the application as they are connected there, on a store in memory, for the tests of the calling block. */
export function useServices() {
  const [store, clock] = [new ModelStore(), new FakeClock()];
  let nest: TestingModule;
  const the = <T>(service: Type<T>) => nest.get<T>(service, { strict: false });
  beforeAll(async () => {
    const config = loadConfig({ ...SECRETS, ...NO_LIMITS, CONSOLE: 'false' });
    const logger = createLogger({ logLevel: 'silent' }, process.stderr);
    nest = await Test.createTestingModule({ imports: [AppModule.forRoot(config, logger)] })
      .overrideProvider(SqliteStore)
      .useValue(store)
      .overrideProvider(Clock)
      .useValue(clock)
      .overrideProvider(PasswordHasher)
      .useValue(cheapPasswords())
      .compile();
    await the(MachineIdProvider).onModuleInit();
  });
  return { store, clock, the };
}

import { type LoginAttempt, LoginLimiter } from '../../../src/auth/login-limit/login-limiter.js';
import type { Config } from '../../../src/shared/config/config.js';
import type { NamedLimit } from '../../../src/shared/rate-limit/rate-limit-windows.js';
import { FakeClock } from '../../fake-clock.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { standInFor } from '../use-store.js';

const FIVE: NamedLimit = { name: 'activation', requests: 5, seconds: 900 };

describeOnMongo('a window that is full on MongoDB', () => {
  let opened: MongoUnderTest;
  const store = standInFor(() => opened);
  const clock = new FakeClock();
  const commands: string[] = [];
  beforeAll(async () => {
    const uri = new URL(String(process.env.TEST_MONGODB_URI));
    uri.searchParams.set('monitorCommands', 'true');
    opened = await MongoUnderTest.open({}, uri.href);
    opened.connection.getClient().on('commandStarted', ({ commandName, command }) => {
      if (command[commandName] === 'rate_limit_windows') commands.push(commandName);
    });
  });
  afterAll(() => opened.close());
  beforeEach(() => {
    clock.advance({ seconds: 900 });
    commands.splice(0);
  });

  const hit = (address: string, value?: number) =>
    store.rateLimits.hit(FIVE, address, clock.now(), value);

  it('costs the database nothing until it ends, however many requests follow', async () => {
    for (let i = 0; i < 1005; i++) await hit('192.0.2.1');
    expect(commands).toEqual(Array(5).fill('findAndModify'));
    expect(await hit('192.0.2.1')).toEqual({ hits: 6, reserved: 0, endsIn: 900_000 });
    clock.advance({ seconds: 900 });
    expect(await hit('192.0.2.1')).toMatchObject({ hits: 1 });
    expect(commands).toHaveLength(6);
  });

  it('costs an instance one statement that another one has filled', async () => {
    const other = await store.join();
    for (let i = 0; i < 5; i++) await other.rateLimits.hit(FIVE, '192.0.2.1', clock.now());
    await other.leave();
    for (let i = 0; i < 20; i++) expect(await hit('192.0.2.1')).toMatchObject({ hits: 6 });
    expect(commands).toEqual(['findAndModify']);
  });

  it('is not taken for full while known values still pass', async () => {
    for (let value = 1; value <= 5; value++) await hit('192.0.2.1', value);
    for (let value = 1; value <= 5; value++)
      expect(await hit('192.0.2.1', value)).toMatchObject({ hits: 5 });
    expect(commands).toHaveLength(10);
    for (let value = 1; value <= 20; value++) await hit('192.0.2.1', 5 + value);
    expect(commands).toHaveLength(11);
    expect(await hit('192.0.2.1', 1)).toMatchObject({ hits: 6 });
  });

  it('costs a login nothing whose address or account is locked', async () => {
    const limits = {
      loginByAddress: { requests: 10, seconds: 900 },
      loginByAccount: { requests: 30, seconds: 900 },
    };
    const logins = new LoginLimiter({ limits } as Config, store.rateLimits, clock);
    const guess = (address: string, account: string) => {
      const attempt: LoginAttempt = { address, account, by: 'stranger' };
      return logins.attempt(attempt, () => Promise.resolve(null)).catch(() => 'rejected');
    };
    for (let i = 0; i < 30; i++) await guess(`10.0.0.${i % 3}`, 'ada@studio.example');
    // Two reservations and two failures for each.
    expect(commands.splice(0)).toHaveLength(120);
    for (let i = 0; i < 100; i++) {
      expect(await guess(`10.0.1.${i}`, 'ada@studio.example')).toBe('rejected');
      await expect(logins.checkAddress('10.0.0.1')).rejects.toMatchObject({ retryAfter: 900 });
    }
    expect(commands).toEqual([]);
  });

  it('is forgotten where the clock was set back (R9)', async () => {
    for (let i = 0; i < 6; i++) await hit('192.0.2.1');
    clock.advance({ seconds: -86_400 });
    expect(await hit('192.0.2.1')).toMatchObject({ hits: 1 });
    clock.advance({ seconds: 86_400 });
  });
});

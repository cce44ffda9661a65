import { type LoginAttempt, LoginLimiter } from '../../../src/auth/login-limit/login-limiter.js';
import type { Config } from '../../../src/shared/config/config.js';
import type { NamedLimit } from '../../../src/rate-limits/rate-limit-windows.js';
import { FakeClock } from '../../fake-clock.js';
import { describeOnMongo } from '../../engines.js';
import { mongodb, type StoreUnderTest } from '../engines.js';
import type { MongoUnderTest } from '../mongo-under-test.js';
import { useInstances } from '../use-instances.js';

const QUARTER_HOUR = 900_000;
const FIVE: NamedLimit = { name: 'activation', requests: 5, seconds: 900 };

// All that holds for one instance holds for several: see rate-limit-windows.cases.ts.
describeOnMongo('the rate limits of three instances on one MongoDB', () => {
  const { instances } = useInstances(mongodb, 3);
  const [store, other] = instances as [MongoUnderTest, MongoUnderTest];
  /** The commands of the first instance. */
  const commands: string[] = [];
  beforeAll(() => {
    store.connection.getClient().on('commandStarted', ({ commandName, command }) => {
      if (command[commandName] === 'rate_limit_windows') commands.push(commandName);
    });
  });
  const clock = new FakeClock();
  let keys = 0;
  /** Each test counts for a new key. */
  let key: string;
  beforeEach(() => {
    key = `192.0.2.${(keys += 1)}`;
    commands.splice(0);
  });

  const hit = ({ rateLimits }: StoreUnderTest, now = clock.now()) => rateLimits.hit(FIVE, key, now);
  const peek = ({ rateLimits }: StoreUnderTest) => rateLimits.peek(FIVE, key, clock.now());
  const reserve = ({ rateLimits }: StoreUnderTest) => rateLimits.reserve(FIVE, key, clock.now());

  it('cost an instance nothing once it knows that a window is full, until that ends', async () => {
    for (let i = 0; i < 5; i++) await hit(other);
    for (let i = 0; i < 100; i++) expect(await hit(store)).toMatchObject({ hits: 6 });
    expect(await reserve(store)).toMatchObject({ settle: undefined });
    expect(commands.splice(0)).toEqual(['findAndModify']);
    clock.advance({ seconds: 900 });
    expect(await hit(store)).toMatchObject({ hits: 1 });
    for (let i = 0; i < 4; i++) await (await reserve(store)).settle!(true, clock.now());
    expect(commands.splice(0)).toHaveLength(9);
    for (let i = 0; i < 100; i++) expect((await reserve(store)).settle).toBeUndefined();
    expect(commands).toEqual([]);
    // They are forgotten where the clock was set back (R9).
    clock.advance({ seconds: -86_400 });
    expect(await hit(store)).toMatchObject({ hits: 1 });
    clock.advance({ seconds: 86_400 });
  });

  it('count in one window, though their clocks differ by seconds', async () => {
    const atSecond = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);
    expect(await hit(store, atSecond(30))).toMatchObject({ hits: 1 });
    expect(await hit(other, atSecond(0))).toMatchObject({ hits: 2, endsIn: QUARTER_HOUR });
    expect(await hit(store, atSecond(31))).toMatchObject({ hits: 3, endsIn: QUARTER_HOUR - 1000 });
    for (let i = 0; i < 3; i++) await hit(other, atSecond(0));
    expect(await hit(other, atSecond(0))).toMatchObject({ hits: 6, endsIn: QUARTER_HOUR });
  });

  it('drop the reservations of an instance that died once its requests would have ended, but no failures', async () => {
    const { settle } = await reserve(other);
    for (let i = 1; i < 5; i++) expect((await reserve(other)).settle).toBeDefined();
    clock.advance({ seconds: 60 });
    expect(await reserve(store)).toMatchObject({ window: { reserved: 5 }, settle: undefined });
    clock.advance({ seconds: 10 });
    expect(await peek(store)).toEqual({ hits: 0, reserved: 0, endsIn: 0 });
    const [reserved] = [await reserve(store), await reserve(store)];
    expect(reserved).toMatchObject({ window: { hits: 0, reserved: 1, endsIn: QUARTER_HOUR } });
    // The first window did not end, but is no longer there.
    expect(await settle!(true, clock.now())).toBe(0);
    await reserved.settle!(true, clock.now());
    clock.advance({ seconds: 70 });
    expect(await reserve(other)).toMatchObject({ window: { hits: 1, reserved: 1 } });
  });

  it('lock an account at its limit of wrong passwords, and report it once (S9, S22)', async () => {
    const limits = {
      loginByAddress: { requests: 10, seconds: 900 },
      loginByAccount: { requests: 30, seconds: 900 },
    };
    const limiters = instances.map(
      ({ rateLimits }) => new LoginLimiter({ limits } as Config, rateLimits, clock),
    );
    const lockouts: string[] = [];
    const guess = jest.fn(() => Promise.resolve(null));
    const attempt = (i: number) => {
      const attempt: LoginAttempt = { address: `10.0.0.${i}`, account: key, by: 'stranger' };
      return limiters[i % 3]!.attempt(attempt, guess, (limit) => lockouts.push(limit));
    };
    await Promise.allSettled(Array.from({ length: 25 }, (_, i) => attempt(i)));
    expect(guess).toHaveBeenCalledTimes(25);
    expect(lockouts).toEqual([]);
    await Promise.allSettled(Array.from({ length: 50 }, (_, i) => attempt(25 + i)));
    expect(guess).toHaveBeenCalledTimes(30);
    expect(lockouts).toEqual(['account']);
    await expect(attempt(0)).rejects.toMatchObject({ retryAfter: 900 });
  });

  it('are stored until they end, without the address or account that they count', async () => {
    key = 'ada@studio.example';
    await reserve(store);
    const windows = await store.collection('rate_limit_windows').find().toArray();
    expect(JSON.stringify(windows)).not.toMatch(/192\.0|studio/);
    const endsAt = new Date(clock.now().getTime() + QUARTER_HOUR);
    expect(windows).toContainEqual(expect.objectContaining({ endsAt }));
  });

  it('count a request once whose acknowledgement is lost', async () => {
    // The server has counted it when it reports this error, and the driver sends the command again.
    const lost = { code: 91, errmsg: 'the primary has shut down' };
    const failing = { failCommands: ['findAndModify'], errorLabels: ['RetryableWriteError'] };
    const failure = { ...failing, writeConcernError: lost };
    const window = await store.whileInjecting(failure, () => hit(store), { times: 1 });
    expect(window).toMatchObject({ hits: 1 });
    expect(await hit(other)).toMatchObject({ hits: 2 });
  });
});

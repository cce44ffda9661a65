import { type LoginAttempt, LoginLimiter } from '../../../src/auth/login-limit/login-limiter.js';
import type { Config } from '../../../src/shared/config/config.js';
import type { NamedLimit } from '../../../src/shared/rate-limit/rate-limit-windows.js';
import { FakeClock } from '../../fake-clock.js';
import { timesInScope } from '../../scope.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';
import type { StoreUnderTest } from '../store-under-test.js';
import { standInFor } from '../use-store.js';

const QUARTER_HOUR = 900_000;
const FIVE: NamedLimit = { name: 'activation', requests: 5, seconds: 900 };

describeOnMongo('the rate limits of three instances on one MongoDB', () => {
  const instances: MongoUnderTest[] = [];
  beforeAll(async () => {
    instances.push(await MongoUnderTest.open());
    while (instances.length < 3) instances.push(await instances[0]!.join());
  });
  afterAll(async () => {
    for (const instance of instances.toReversed()) await instance.close();
  });
  const [store, other] = [standInFor(() => instances[0]!), standInFor(() => instances[1]!)];
  const callEach = <T>(times: number, call: (instance: StoreUnderTest, index: number) => T): T[] =>
    Array.from({ length: times }, (_, index) => call(instances[index % 3]!, index));
  const clock = new FakeClock();
  let keys = 0;
  /** Each test counts for a new key. */
  let key: string;
  beforeEach(() => {
    key = `192.0.2.${(keys += 1)}`;
  });

  const hit = ({ rateLimits }: StoreUnderTest, now = clock.now(), value?: number) =>
    rateLimits.hit(FIVE, key, now, value);
  const peek = ({ rateLimits }: StoreUnderTest) => rateLimits.peek(FIVE, key, clock.now());
  const reserve = ({ rateLimits }: StoreUnderTest) => rateLimits.reserve(FIVE, key, clock.now());
  const windows = () => store.collection('rate_limit_windows');

  it('let 5 of 15 requests of an address pass, whichever instance it reaches', async () => {
    const hits: number[] = [];
    for (let i = 0; i < 15; i++) hits.push((await hit(instances[i % 3]!)).hits);
    expect(hits).toEqual([1, 2, 3, 4, 5, ...Array<number>(10).fill(6)]);
    clock.advance({ seconds: 900 });
    expect(await hit(other)).toMatchObject({ hits: 1, endsIn: QUARTER_HOUR });
    expect(await hit(store)).toMatchObject({ hits: 2, endsIn: QUARTER_HOUR });
  });

  it('let exactly 5 of 30 simultaneous requests of a new address pass', async () => {
    for (let round = 0; round < timesInScope(50); round++) {
      key = `simultaneous ${round}`;
      const hits = await Promise.all(callEach(30, (instance) => hit(instance)));
      expect(hits.filter((window) => window.hits <= FIVE.requests)).toHaveLength(5);
    }
  });

  it('count a value once that reaches all of them', async () => {
    const values = Array.from({ length: 30 }, (_, index) => index % 5);
    const hits = callEach(30, (instance, i) => hit(instance, clock.now(), values[i]));
    expect(Math.max(...(await Promise.all(hits)).map((window) => window.hits))).toBe(5);
    expect(await hit(store, clock.now(), 0)).toMatchObject({ hits: 5 });
    expect(await hit(other, clock.now(), 5)).toMatchObject({ hits: 6 });
    for (const instance of instances) {
      expect(await hit(instance, clock.now(), 0)).toMatchObject({ hits: 6 });
    }
  });

  it('hold for an instance that starts later', async () => {
    for (let i = 0; i < 6; i++) await hit(store);
    const later = await store.join();
    expect(await hit(later)).toEqual({ hits: 6, reserved: 0, endsIn: QUARTER_HOUR });
    await later.leave();
  });

  it('count in one window, though their clocks differ by seconds', async () => {
    const atSecond = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);
    expect(await hit(store, atSecond(30))).toMatchObject({ hits: 1 });
    expect(await hit(other, atSecond(0))).toMatchObject({ hits: 2, endsIn: QUARTER_HOUR });
    expect(await hit(store, atSecond(31))).toMatchObject({ hits: 3, endsIn: QUARTER_HOUR - 1000 });
    for (let i = 0; i < 3; i++) await hit(other, atSecond(0));
    expect(await hit(other, atSecond(0))).toMatchObject({ hits: 6, endsIn: QUARTER_HOUR });
  });

  it('drop the reservations of an instance that died, soon after its requests would have ended', async () => {
    const { settle } = await reserve(other);
    for (let i = 1; i < 5; i++) expect((await reserve(other)).settle).toBeDefined();
    clock.advance({ seconds: 60 });
    expect(await reserve(store)).toMatchObject({ window: { reserved: 5 }, settle: undefined });
    clock.advance({ seconds: 10 });
    expect(await peek(store)).toEqual({ hits: 0, reserved: 0, endsIn: 0 });
    expect(await reserve(store)).toMatchObject({ window: { reserved: 1, endsIn: QUARTER_HOUR } });
    // The first window did not end, but is no longer there.
    expect(await settle!(true, clock.now())).toBe(0);
    expect(await peek(store)).toMatchObject({ hits: 0, reserved: 1 });
  });

  it('keep the failures of a window when they drop its reservations', async () => {
    const { settle } = await reserve(other);
    const late = await reserve(other);
    await settle!(true, clock.now());
    clock.advance({ seconds: 70 });
    expect(await reserve(store)).toMatchObject({ window: { hits: 1, reserved: 1 } });
    expect(await late.settle!(true, clock.now())).toBe(2);
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
    for (let i = 0; i < 3; i++) {
      await expect(attempt(i)).rejects.toMatchObject({ retryAfter: 900 });
    }
  });

  it('are deleted by the server, but not before they have ended by any clock', async () => {
    const indexes = await windows().indexes();
    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { endsAt: 1 }, expireAfterSeconds: 3600 }),
    );
    await hit(store);
    const { endsAt } = (await windows().find().sort({ endsAt: -1 }).limit(1).next())!;
    expect(endsAt).toEqual(new Date(clock.now().getTime() + QUARTER_HOUR));
  });

  it('are stored without the address or account that they count', async () => {
    key = 'ada@studio.example';
    await hit(store);
    await reserve(store);
    expect(JSON.stringify(await windows().find().toArray())).not.toMatch(/192\.0|studio/);
  });

  it('reject a request that cannot be counted', async () => {
    const unavailable = { code: 'STORE_UNAVAILABLE', retryAfter: 1 };
    const failing = { failCommands: ['findAndModify', 'find'], closeConnection: true };
    await store.whileInjecting(failing, async () => {
      for (const call of [hit, peek, reserve]) {
        await expect(call(store)).rejects.toMatchObject(unavailable);
      }
    });
    expect(await hit(store)).toMatchObject({ hits: 1 });
  });

  it('count a request once whose acknowledgement is lost', async () => {
    // The server has counted it when it reports this error, and the driver sends the command again.
    const lost = { code: 91, errmsg: 'the primary has shut down' };
    const failing = { failCommands: ['findAndModify'], errorLabels: ['RetryableWriteError'] };
    const failure = { ...failing, writeConcernError: lost };
    const window = await store.whileInjecting(failure, () => hit(store), 1);
    expect(window).toMatchObject({ hits: 1 });
    expect(await hit(other)).toMatchObject({ hits: 2 });
  });
});

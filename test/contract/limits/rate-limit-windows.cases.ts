import type { NamedLimit } from '../../../src/rate-limits/rate-limit-windows.js';
import { type LoginAttempt, LoginLimiter } from '../../../src/auth/login-limit/login-limiter.js';
import type { Config } from '../../../src/shared/config/config.js';
import { FakeClock } from '../../fake-clock.js';
import { engines, mongodb, type StoreUnderTest } from '../engines.js';
import { at } from '../records.js';
import { settingsOf, useInstances } from '../use-store.js';
import { describeOnMongo } from '../../engines.js';
import type { MongoUnderTest } from '../mongo-under-test.js';

const MINUTE = 60_000;
const QUARTER_HOUR = 900_000;
const LIMIT: NamedLimit = { name: 'writes', requests: 3, seconds: 60 };
const FIVE: NamedLimit = { name: 'activation', requests: 5, seconds: 900 };

const clock = new FakeClock();
let keys = 0;
/** Each test counts for a new key. */
let key: string;
beforeEach(() => {
  key = `192.0.2.${(keys += 1)}`;
});

describe.each(settingsOf(engines))('the windows of rate limits on $name', ({ engine, count }) => {
  const { instances } = useInstances(engine, count);
  let calls = 0;
  /** Each call is one of the next instance. */
  const windows = () => instances[(calls += 1) % count]!.rateLimits;

  const peek = (limit = LIMIT, of = key) => windows().peek(limit, of, clock.now());
  const hit = (limit = LIMIT, of = key) => windows().hit(limit, of, clock.now());
  const hitWith = (value: number) => windows().hit(LIMIT, key, clock.now(), value);
  const reserve = () => windows().reserve(LIMIT, key, clock.now());
  const hitTimes = async (times: number) => {
    const hits: number[] = [];
    for (let i = 0; i < times; i++) hits.push((await hit()).hits);
    return hits;
  };
  const open3 = { hits: 3, reserved: 0 };
  const NONE = { hits: 0, reserved: 0, endsIn: 0 };

  it('begin with the first hit, and end for each key on its own', async () => {
    expect(await peek()).toStrictEqual(NONE);
    expect(await hit()).toStrictEqual({ hits: 1, reserved: 0, endsIn: MINUTE });
    clock.advance({ seconds: 30 });
    expect(await hit()).toStrictEqual({ hits: 2, reserved: 0, endsIn: MINUTE / 2 });
    expect(await hit(LIMIT, `${key} of another`)).toMatchObject({ hits: 1, endsIn: MINUTE });
    expect(await hit({ ...LIMIT, name: 'emailConflicts' })).toMatchObject({ hits: 1 });
    expect(await peek()).toStrictEqual({ hits: 2, reserved: 0, endsIn: MINUTE / 2 });
    clock.advance({ seconds: 29.999 });
    expect(await peek()).toStrictEqual({ hits: 2, reserved: 0, endsIn: 1 });
    clock.advance({ seconds: 0.001 });
    expect(await peek()).toStrictEqual(NONE);
    expect(await hit()).toStrictEqual({ hits: 1, reserved: 0, endsIn: MINUTE });
  });

  it('reject hits beyond the limit, and are not lengthened by them', async () => {
    expect(await hitTimes(5)).toEqual([1, 2, 3, 4, 4]);
    clock.advance({ seconds: 59 });
    expect(await hit()).toStrictEqual({ hits: 4, reserved: 0, endsIn: 1000 });
    clock.advance({ seconds: 1 });
    expect(await hitTimes(4)).toEqual([1, 2, 3, 4]);
  });

  it('reject for at most one window after the clock was set back (R9)', async () => {
    await hitTimes(4);
    clock.set(at(0).toISOString());
    expect(await peek()).toStrictEqual(NONE);
    expect(await hit()).toStrictEqual({ hits: 1, reserved: 0, endsIn: MINUTE });
  });

  it('count a value once, however often it hits', async () => {
    for (const value of [7, 2 ** 48 - 1, 7, 0, 7]) await hitWith(value);
    expect(await hitWith(0)).toStrictEqual({ ...open3, endsIn: MINUTE });
  });

  it('reject every value once they have rejected one', async () => {
    for (const value of [1, 2, 3]) expect(await hitWith(value)).not.toMatchObject({ hits: 4 });
    expect(await hitWith(1)).toMatchObject({ hits: 3 });
    for (const value of [4, 1, 5]) expect(await hitWith(value)).toMatchObject({ hits: 4 });
    clock.advance({ seconds: 60 });
    expect(await hitWith(4)).toMatchObject({ hits: 1 });
  });

  it('count a reservation as long as it is not settled, and a failure as a hit', async () => {
    const [first, second, third] = [await reserve(), await reserve(), await reserve()];
    expect(third.window).toStrictEqual({ hits: 0, reserved: 3, endsIn: MINUTE });
    const { window, settle } = await reserve();
    expect(window).toStrictEqual({ hits: 0, reserved: 3, endsIn: MINUTE });
    expect(settle).toBeUndefined();

    expect(await first.settle!(true, clock.now())).toBe(1);
    expect(await second.settle!(false, clock.now())).toBe(1);
    expect(await peek()).toStrictEqual({ hits: 1, reserved: 1, endsIn: MINUTE });
    expect(await (await reserve()).settle!(true, clock.now())).toBe(2);
    expect(await third.settle!(true, clock.now())).toBe(3);
    expect(await reserve()).toEqual({ window: { ...open3, endsIn: MINUTE }, settle: undefined });
  });

  it('are forgotten where all reservations left no trace', async () => {
    const { settle } = await reserve();
    clock.advance({ seconds: 5 });
    expect(await settle!(false, clock.now())).toBe(0);
    expect(await peek()).toStrictEqual(NONE);
    clock.advance({ seconds: 5 });
    expect((await reserve()).window).toStrictEqual({ hits: 0, reserved: 1, endsIn: MINUTE });
  });

  it('are left alone by a reservation of an earlier window', async () => {
    const reservations = [await reserve(), await reserve()];
    clock.advance({ seconds: 60 });
    await hit();
    for (const [index, { settle }] of reservations.entries()) {
      expect(await settle!(index === 0, clock.now())).toBe(0);
    }
    expect(await peek()).toStrictEqual({ hits: 1, reserved: 0, endsIn: MINUTE });
  });

  it('let exactly the limit pass of 30 simultaneous first hits, or reservations', async () => {
    for (let round = 0; round < 10; round += 1) {
      key = `key ${(keys += 1)} of hits`;
      const all = await Promise.all(Array.from({ length: 30 }, () => hit()));
      expect(all.filter(({ hits }) => hits <= 3)).toHaveLength(3);
      key = `key ${keys} of reservations`;
      const reservations = await Promise.all(Array.from({ length: 30 }, reserve));
      expect(reservations.filter(({ settle }) => settle)).toHaveLength(3);
    }
  });
});

// All that holds for one instance holds for several: see above.
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
  beforeEach(() => void commands.splice(0));

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

import { MemoryRateLimits } from '../../../src/limits/memory-rate-limits.js';
import type { RateLimits } from '../../../src/limits/rate-limits.js';
import type { Limit } from '../../../src/shared/config/config.js';
import { describeOnMongo } from '../../engines.js';
import { FakeClock } from '../../fake-clock.js';
import { mongodb } from '../engines.js';
import { CLOCK, type MongoUnderTest } from '../mongo-under-test.js';
import { at } from '../records.js';
import { useInstances } from '../use-store.js';

const MINUTE = 60_000;
const QUARTER_HOUR = 900_000;
const LIMIT: Limit = { name: 'writes', requests: 3, seconds: 60 };
const FIVE: Limit = { name: 'activation', requests: 5, seconds: 900 };

let keys = 0;
/** Each test counts for a new key. */
let key: string;
beforeEach(() => {
  key = `192.0.2.${(keys += 1)}`;
});

/** @param limits returns the next instance on each call */
function declareContract(clock: FakeClock, limits: () => RateLimits): void {
  const peek = () => limits().hit(LIMIT, key, 0);
  const hit = (limit = LIMIT, of = key) => limits().hit(limit, of);
  const hitTimes = async (times: number) => {
    const hits: number[] = [];
    for (let i = 0; i < times; i++) hits.push((await hit()).hits);
    return hits;
  };
  const NONE = { hits: 0, endsIn: 0 };

  it('start a window with the first hit, separately for each key', async () => {
    expect(await peek()).toStrictEqual(NONE);
    expect(await hit()).toStrictEqual({ hits: 1, endsIn: MINUTE });
    clock.advance({ seconds: 30 });
    expect(await hit()).toStrictEqual({ hits: 2, endsIn: MINUTE / 2 });
    expect(await hit(LIMIT, `${key} of another`)).toStrictEqual({ hits: 1, endsIn: MINUTE });
    expect(await hit({ ...LIMIT, name: 'emailConflicts' })).toMatchObject({ hits: 1 });
    expect(await peek()).toStrictEqual({ hits: 2, endsIn: MINUTE / 2 });
    clock.advance({ seconds: 29.999 });
    expect(await peek()).toStrictEqual({ hits: 2, endsIn: 1 });
    clock.advance({ seconds: 0.001 });
    expect(await peek()).toStrictEqual(NONE);
    expect(await hit()).toStrictEqual({ hits: 1, endsIn: MINUTE });
  });

  it('reject hits over the limit, which do not extend the window', async () => {
    expect(await hitTimes(5)).toEqual([1, 2, 3, 4, 4]);
    clock.advance({ seconds: 59 });
    expect(await hit()).toStrictEqual({ hits: 4, endsIn: 1000 });
    clock.advance({ seconds: 1 });
    expect(await hitTimes(4)).toEqual([1, 2, 3, 4]);
  });

  it('reject for at most one window after the clock was set back (R9)', async () => {
    await hitTimes(4);
    clock.set(at(0).toISOString());
    expect(await peek()).toStrictEqual(NONE);
    expect(await hit()).toStrictEqual({ hits: 1, endsIn: MINUTE });
  });

  it('accept exactly the limit of 30 simultaneous first hits', async () => {
    for (let round = 0; round < 10; round += 1) {
      key = `key ${(keys += 1)}`;
      const all = await Promise.all(Array.from({ length: 30 }, () => hit()));
      expect(all.filter(({ hits }) => hits <= 3)).toHaveLength(3);
    }
  });
}

describe('the rate limits in memory', () => {
  const clock = new FakeClock();
  const limits = new MemoryRateLimits(clock);
  declareContract(clock, () => limits);
});

const onMongo = process.env.TEST_MONGODB_URI ? describe : describe.skip;

onMongo('the rate limits of three instances on one MongoDB', () => {
  const { instances } = useInstances(mongodb, 3);
  let calls = 0;
  declareContract(CLOCK, () => (instances[(calls += 1) % 3] as MongoUnderTest).rateLimits);
});

describeOnMongo('the rate limits of three instances on one MongoDB', () => {
  const clock = CLOCK;
  const { instances } = useInstances(mongodb, 3);
  const [store, other] = instances as [MongoUnderTest, MongoUnderTest];
  /** The commands of the first instance. */
  const commands: string[] = [];
  beforeAll(() => {
    store.client.on('commandStarted', ({ commandName, command }) => {
      if (command[commandName] === 'rate_limit_windows') commands.push(commandName);
    });
  });
  beforeEach(() => void commands.splice(0));

  const hit = ({ rateLimits }: MongoUnderTest) => rateLimits.hit(FIVE, key);

  it('cost an instance nothing once it knows a window is full, until the window ends', async () => {
    for (let i = 0; i < 5; i++) await hit(other);
    for (let i = 0; i < 100; i++) expect(await hit(store)).toMatchObject({ hits: 6 });
    expect(commands.splice(0)).toEqual(['findAndModify']);
    clock.advance({ seconds: 900 });
    expect(await hit(store)).toMatchObject({ hits: 1 });
    // Forgotten if the clock was set back (R9).
    for (let i = 0; i < 5; i++) await hit(store);
    clock.advance({ seconds: -86_400 });
    expect(await hit(store)).toMatchObject({ hits: 1 });
    clock.advance({ seconds: 86_400 });
  });

  it('count in one window even if their clocks differ by seconds', async () => {
    const hitAt = async (instance: MongoUnderTest, seconds: number) => {
      clock.advance({ seconds });
      const window = await hit(instance);
      clock.advance({ seconds: -seconds });
      return window;
    };
    expect(await hitAt(store, 30)).toMatchObject({ hits: 1 });
    expect(await hitAt(other, 0)).toMatchObject({ hits: 2, endsIn: QUARTER_HOUR });
    expect(await hitAt(store, 31)).toMatchObject({ hits: 3, endsIn: QUARTER_HOUR - 1000 });
    for (let i = 0; i < 3; i++) await hitAt(other, 0);
    expect(await hitAt(other, 0)).toMatchObject({ hits: 6, endsIn: QUARTER_HOUR });
  });

  it('are stored until they end, without the address or account they count', async () => {
    key = 'ada@studio.example';
    await hit(store);
    const windows = await store.collection('rate_limit_windows').find().toArray();
    expect(JSON.stringify(windows)).not.toMatch(/192\.0|studio/);
    const endsAt = new Date(clock.now().getTime() + QUARTER_HOUR);
    expect(windows).toContainEqual(expect.objectContaining({ endsAt }));
  });

  it('count a request once even if its acknowledgement is lost', async () => {
    // The server has already counted it when it reports this error, and the driver retries the command.
    const lost = { code: 91, errmsg: 'the primary has shut down' };
    const failing = { failCommands: ['findAndModify'], errorLabels: ['RetryableWriteError'] };
    const failure = { ...failing, writeConcernError: lost };
    const window = await store.whileInjecting(failure, () => hit(store), { times: 1 });
    expect(window).toMatchObject({ hits: 1 });
    expect(await hit(other)).toMatchObject({ hits: 2 });
  });
});

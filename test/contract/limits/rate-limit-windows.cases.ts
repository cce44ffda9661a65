import type { NamedLimit } from '../../../src/rate-limits/rate-limit-windows.js';
import { FakeClock } from '../../fake-clock.js';
import { engines } from '../engines.js';
import { at } from '../records.js';
import { settingsOf, useInstances } from '../use-instances.js';

const MINUTE = 60_000;
const LIMIT: NamedLimit = { name: 'writes', requests: 3, seconds: 60 };
let keys = 0;

describe.each(settingsOf(engines))('the windows of rate limits on $name', ({ engine, count }) => {
  const { instances } = useInstances(engine, count);
  let calls = 0;
  /** Each call is one of the next instance. */
  const windows = () => instances[(calls += 1) % count]!.rateLimits;
  const clock = new FakeClock();
  /** Each test counts for a new key. */
  let key: string;
  beforeEach(() => {
    key = `key ${(keys += 1)}`;
  });

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

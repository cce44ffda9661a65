import { Logger } from '@nestjs/common';
import { DeferredWrites } from './deferred-writes.js';

class Counts extends DeferredWrites<number> {
  readonly writeBatch = jest.fn<Promise<void>, [ReadonlyMap<string, number>]>();

  constructor() {
    super('Counts');
  }

  note(...ids: readonly string[]): void {
    for (const _id of ids) this.add(_id, (waiting = 0) => waiting + 1);
  }

  async write() {
    while (await this.step());
    return this.writeBatch.mock.calls.map(([noted]) => [...noted]);
  }
}

describe('Deferred writes', () => {
  let counts: Counts;
  beforeEach(() => (counts = new Counts()));
  afterEach(() => jest.restoreAllMocks());

  const noteMany = (many: number) =>
    counts.note(...Array.from({ length: many }, (_, index) => `record ${index}`));

  it('are merged per record, written once, and flushed at shutdown', async () => {
    counts.note('a', 'b', 'a');
    const first = Object.entries({ a: 2, b: 1 });
    expect(await counts.write()).toEqual([first]);
    counts.note('b');
    await counts.beforeApplicationShutdown();
    expect(await counts.write()).toEqual([first, [['b', 1]]]);
  });

  it('are flushed a thousand records at a time, for at most two seconds during a shutdown', async () => {
    noteMany(2_001);
    expect((await counts.write()).map(({ length }) => length)).toEqual([1_000, 1_000, 1]);
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    counts.writeBatch.mockReset().mockImplementation(async () => void (now += 1_100));
    noteMany(3_000);
    await counts.beforeApplicationShutdown();
    expect(counts.writeBatch).toHaveBeenCalledTimes(2);
  });

  it('log one line on failure, and continue with later ones', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    counts.writeBatch.mockRejectedValueOnce(new Error('away'));
    counts.note('a');
    await counts.write();
    counts.note('b');
    expect((await counts.write()).at(-1)).toEqual([['b', 1]]);
    expect(warn.mock.calls).toEqual([['Counts was not written: Error: away']]);
  });
});

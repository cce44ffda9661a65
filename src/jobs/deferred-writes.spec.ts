import { Logger } from '@nestjs/common';
import { DeferredWrites } from './deferred-writes.js';

class Counts extends DeferredWrites<number> {
  readonly written: (readonly [string, number])[][] = [];

  constructor(private readonly store: () => Promise<void> = () => Promise.resolve()) {
    super('Counts');
  }

  note(_id: string): void {
    this.add(_id, (waiting = 0) => waiting + 1);
  }

  protected async writeBatch(noted: ReadonlyMap<string, number>): Promise<void> {
    await this.store();
    this.written.push([...noted]);
  }
}

const noteMany = (counts: Counts, many: number) =>
  Array.from({ length: many }, (_, index) => counts.note(`record ${index}`));

const written = async (counts: Counts) => {
  while (await counts.step());
};

describe('Deferred writes', () => {
  afterEach(() => jest.restoreAllMocks());

  it('are merged by record, written once, and written by a shutdown, too', async () => {
    const counts = new Counts();
    for (const _id of ['a', 'b', 'a']) counts.note(_id);
    await written(counts);
    await written(counts);
    counts.note('b');
    await counts.beforeApplicationShutdown();
    expect(counts.written).toEqual([
      [
        ['a', 2],
        ['b', 1],
      ],
      [['b', 1]],
    ]);
  });

  it('go a thousand records at a time', async () => {
    const counts = new Counts();
    noteMany(counts, 2_001);
    await written(counts);
    expect(counts.written.map(({ length }) => length)).toEqual([1_000, 1_000, 1]);
  });

  it('are given up two seconds after a shutdown has begun', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const counts = new Counts(async () => void (now += 1_100));
    noteMany(counts, 3_000);
    await counts.beforeApplicationShutdown();
    expect(counts.written).toHaveLength(2);
  });

  it('fail with one line, and later ones are written', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const store = jest
      .fn<Promise<void>, []>()
      .mockResolvedValue()
      .mockRejectedValueOnce(new Error('away'));
    const counts = new Counts(store);
    counts.note('a');
    await written(counts);
    counts.note('b');
    await written(counts);
    expect(counts.written).toEqual([[['b', 1]]]);
    expect(warn.mock.calls).toEqual([['Counts was not written: Error: away']]);
  });
});

import { RequestQueues } from './request-queues.js';

describe('RequestQueues', () => {
  let queues: RequestQueues;
  let now: number;
  let handled: string[];

  beforeEach(() => {
    queues = new RequestQueues();
    now = 0;
    handled = [];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Adds requests, each of which takes some milliseconds. */
  const add = (queue: Parameters<RequestQueues['add']>[0], count: number, took = 0) => {
    for (let i = 0; i < count; i++) {
      queues.add(queue, () => {
        handled.push(queue);
        now += took;
      });
    }
  };
  /** How many of a queue are handled in each of the next iterations of the event loop. */
  const iterations = async (queue: string, count: number, isAccepting = false) => {
    const counts: number[] = [];
    for (let i = 0; i < count; i++) {
      handled = [];
      if (isAccepting) queues.noteConnection();
      await new Promise(setImmediate);
      counts.push(handled.filter((name) => name === queue).length);
    }
    return counts;
  };

  it('handle requests after this iteration has read all that there are, license checks first', async () => {
    add('other', 1);
    add('licenseChecks', 2);
    expect(handled).toEqual([]);
    await new Promise(setImmediate);
    expect(handled).toEqual(['licenseChecks', 'licenseChecks', 'other']);
  });

  it.each(['licenseChecks', 'other'] as const)(
    'handle %s for 5 ms of an iteration, whatever others take',
    async (queue) => {
      add('licenseChecks', 6, 4);
      add('other', 6, 4);
      expect(await iterations(queue, 4)).toEqual([2, 2, 2, 0]);
    },
  );

  it('handle rejections for 20 ms of an iteration, and one health check', async () => {
    add('healthChecks', 2);
    add('rejections', 50, 1);
    expect(await iterations('rejections', 1)).toEqual([20]);
    add('healthChecks', 1);
    expect(await iterations('healthChecks', 3)).toEqual([1, 1, 0]);
  });

  it.each(['licenseChecks', 'other', 'rejections'] as const)(
    'handle %s for a quarter of a millisecond in one of eight iterations while connections are accepted',
    async (queue) => {
      add(queue, 8, 0.125);
      expect(await iterations(queue, 16, true)).toEqual([
        ...[0, 0, 0, 0, 0, 0, 0, 2],
        ...[0, 0, 0, 0, 0, 0, 0, 2],
      ]);
      expect(await iterations(queue, 1)).toEqual([4]);
    },
  );
});

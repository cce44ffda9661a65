import { EventEmitter } from 'node:events';
import type { Connection } from 'mongoose';
import { PrimaryTerms } from './primary-terms.js';

describe('reads from a primary', () => {
  let client: EventEmitter;
  let terms: PrimaryTerms;
  /** Ends the write by which a new primary is waited for. */
  let settle: () => void;

  beforeEach(() => {
    const updateOne = () => new Promise<void>((resolve) => (settle = resolve));
    const db = () => ({ collection: () => ({ updateOne }) });
    client = Object.assign(new EventEmitter(), { db });
    terms = new PrimaryTerms({ getClient: () => client } as unknown as Connection);
  });

  const elect = (address: string, electionId: number) => {
    const servers = new Map([[address, { type: 'RSPrimary', address, electionId }]]);
    client.emit('topologyDescriptionChanged', { newDescription: { servers } });
  };
  const ticks = () => new Promise(setImmediate);

  it('wait after an election until a majority has what the new one had', async () => {
    elect('a', 1);
    const begun: string[] = [];
    const read = terms.read(async () => begun.push('read'));
    await ticks();
    expect(begun).toEqual([]);
    settle();
    await read;
    expect(begun).toEqual(['read']);
  });

  it('are repeated where another one was elected meanwhile', async () => {
    const results = ['stale', 'fresh'];
    const read = terms.read(async () => {
      if (results.length === 2) elect('b', 2);
      return results.shift();
    });
    await ticks();
    settle();
    await expect(read).resolves.toBe('fresh');
  });
});

import { EventEmitter } from 'node:events';
import type { Connection } from 'mongoose';
import { createLogger } from '../../../shared/logging/logger.js';
import { StoreLog } from '../../../shared/logging/store-log.js';
import { NO_METRICS } from '../../../shared/metrics/metrics.js';
import { PrimaryWatch } from './primary-watch.js';

describe('PrimaryWatch', () => {
  let lines: string[];
  let client: EventEmitter;
  let watch: PrimaryWatch;

  beforeEach(() => {
    jest.useFakeTimers();
    lines = [];
    client = new EventEmitter();
    const write = (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg);
    const log = new StoreLog(createLogger({ logLevel: 'info' }, { write }));
    watch = new PrimaryWatch({ getClient: () => client } as unknown as Connection, log, NO_METRICS);
  });
  afterEach(() => jest.useRealTimers());

  const change = (...servers: { isWritable: boolean }[]) => {
    const newDescription = { servers: new Map(servers.entries()) };
    client.emit('topologyDescriptionChanged', { newDescription });
  };

  it('logs an outage that begins before the application has started', () => {
    change({ isWritable: false }, { isWritable: false });
    jest.advanceTimersByTime(2000);
    expect(lines).toEqual(['the store is unreachable']);

    change({ isWritable: false }, { isWritable: true });
    expect(lines).toEqual(['the store is unreachable', 'the store is reachable again']);
  });

  it('logs no outage of a connection that a shutdown closes', () => {
    change({ isWritable: false });
    watch.beforeApplicationShutdown();
    change();
    jest.advanceTimersByTime(10_000);

    expect(lines).toEqual([]);
  });
});

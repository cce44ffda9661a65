import { EventEmitter } from 'node:events';
import type { Connection } from 'mongoose';
import type { Metrics } from '../../../metrics/metrics.js';
import type { StoreLog } from '../../../shared/logging/store-log.js';
import { PrimaryWatch } from './primary-watch.js';

it('PrimaryWatch notes whether a server takes writes, for the log and the metrics, until the shutdown', () => {
  const client = new EventEmitter();
  const log = { note: jest.fn(), stop: jest.fn(), isReachable: false };
  const gauge = jest.fn<void, [name: string, help: string, read: () => number]>();
  const watch = new PrimaryWatch(
    { getClient: () => client } as unknown as Connection,
    log as unknown as StoreLog,
    { gauge } as unknown as Metrics,
  );
  const change = (...areWritable: boolean[]) => {
    const servers = new Map(areWritable.map((isWritable, port) => [port, { isWritable }]));
    client.emit('topologyDescriptionChanged', { newDescription: { servers } });
  };
  change(false, true);
  change(false, false);
  expect(log.note.mock.calls).toEqual([[true], [false]]);
  const [[name, , read]] = gauge.mock.calls as [[string, string, () => number]];
  expect([name, read()]).toEqual(['mongodb_reachable', 0]);
  watch.beforeApplicationShutdown();
  change(true);
  expect([log.note.mock.calls.length, log.stop.mock.calls.length]).toEqual([2, 1]);
});

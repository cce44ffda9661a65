import { EventEmitter } from 'node:events';
import type { mongo } from 'mongoose';
import { Exposition } from '../../../../test/exposition.js';
import { NO_METRICS } from '../../../shared/metrics/metrics.js';
import { PrometheusMetrics } from '../../../shared/metrics/prometheus-metrics.js';
import { measurePool } from './pool-metrics.js';

describe('measurePool', () => {
  const client = new EventEmitter();
  const metrics = new PrometheusMetrics();
  measurePool(client as mongo.MongoClient, metrics);
  const emit = (name: string, connectionId: number, address = 'db1:27017') =>
    client.emit(name, { address, connectionId, durationMS: 20 });
  const expectPool = async (connections: number, checkedOut: number) => {
    const text = new Exposition(await metrics.text());
    expect([
      text.valueOf('license_service_mongodb_pool_connections'),
      text.valueOf('license_service_mongodb_pool_checked_out'),
    ]).toEqual([connections, checkedOut]);
  };

  it('counts the connections of all servers, and those in use', async () => {
    emit('connectionCreated', 1);
    emit('connectionCreated', 1, 'db2:27017');
    emit('connectionCheckedOut', 1);
    await expectPool(2, 1);
    emit('connectionCheckedIn', 1);
    emit('connectionClosed', 1);
    await expectPool(1, 0);
  });

  it('counts a connection that was open before, once it is used', async () => {
    emit('connectionCheckedOut', 7);
    emit('connectionCheckedIn', 7);
    await expectPool(2, 0);
  });

  it('never counts below zero, whatever was checked out before', async () => {
    emit('connectionCheckedIn', 8);
    await expectPool(2, 0);
  });

  it('does not listen while metrics are off', () => {
    const unmeasured = new EventEmitter();
    measurePool(unmeasured as mongo.MongoClient, NO_METRICS);
    expect(unmeasured.eventNames()).toEqual([]);
  });

  it('measures how long each use of a connection had to wait for it', async () => {
    const text = new Exposition(await metrics.text());
    expect(text.valueOf('license_service_mongodb_pool_wait_seconds_count')).toBe(2);
    expect(text.valueOf('license_service_mongodb_pool_wait_seconds_sum')).toBeCloseTo(0.04);
  });
});

import type { mongo } from 'mongoose';
import { DURATIONS, type Metrics, NO_METRICS } from '../../../metrics/metrics.js';

/**
 * Measures the connections of a client's pools, for all servers together, by the driver's events. Those who wait for a
 * connection cannot be counted: the driver has no event for a wait that ends by the deadline of its statement.
 */
export function measurePool(client: mongo.MongoClient, metrics: Metrics): void {
  // The driver's events are frequent.
  if (metrics === NO_METRICS) return;
  const waits = metrics
    .histogram('mongodb_pool_wait_seconds', 'Time until a connection was available', DURATIONS)
    .labels();
  // By id, because a connection that was opened or checked out before this listens is first seen later.
  const open = new Set<string>();
  const checkedOut = new Set<string>();
  client
    .on('connectionCreated', (event) => open.add(idOf(event)))
    .on('connectionClosed', (event) => open.delete(idOf(event)))
    .on('connectionCheckedOut', (event) => {
      open.add(idOf(event));
      checkedOut.add(idOf(event));
      waits.observe(event.durationMS / 1000);
    })
    .on('connectionCheckedIn', (event) => checkedOut.delete(idOf(event)));

  metrics.gauge('mongodb_pool_connections', 'Open connections to MongoDB', () => open.size);
  metrics.gauge('mongodb_pool_checked_out', 'Connections to MongoDB in use', () => checkedOut.size);
}

const idOf = ({ address, connectionId }: mongo.ConnectionCreatedEvent) =>
  `${address} ${connectionId}`;

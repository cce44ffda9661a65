import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { MongoClient, type TopologyDescriptionChangedEvent } from 'mongodb';
import { Metrics } from '../../metrics/metrics.js';
import { StoreLog } from '../../shared/logging/store-log.js';

/** Watches whether the driver knows a server that takes writes: a primary, or a mongos. */
@Injectable()
export class PrimaryWatch implements BeforeApplicationShutdown {
  /** Begins at once: to prepare the store can take long, and the primary can be lost meanwhile. */
  constructor(
    private readonly client: MongoClient,
    private readonly log: StoreLog,
    metrics: Metrics,
  ) {
    client.on('topologyDescriptionChanged', this.note);
    metrics.gauge(
      'mongodb_reachable',
      '1 while a server that takes writes is reachable, else 0',
      () => Number(this.log.isReachable),
    );
  }

  /** Closing the connection is no outage. */
  beforeApplicationShutdown(): void {
    this.client.off('topologyDescriptionChanged', this.note);
    this.log.stop();
  }

  private readonly note = ({ newDescription }: TopologyDescriptionChangedEvent): void => {
    this.log.note([...newDescription.servers.values()].some(({ isWritable }) => isWritable));
  };
}

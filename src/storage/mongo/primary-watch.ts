import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { Metrics } from '../../metrics/metrics.js';
import { StoreLog } from '../../shared/logging/store-log.js';

/** Watches whether the driver knows a server that accepts writes: a primary, or a mongos. */
@Injectable()
export class PrimaryWatch implements BeforeApplicationShutdown {
  /** Starts immediately, because preparing the store can take a while and the primary can be lost meanwhile. */
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly log: StoreLog,
    metrics: Metrics,
  ) {
    connection.getClient().on('topologyDescriptionChanged', this.note);
    metrics.gauge(
      'mongodb_reachable',
      '1 if a server that accepts writes is reachable, 0 otherwise',
      () => Number(this.log.isReachable),
    );
  }

  /** Closing the connection is not an outage. */
  beforeApplicationShutdown(): void {
    this.connection.getClient().off('topologyDescriptionChanged', this.note);
    this.log.stop();
  }

  private readonly note = ({ newDescription }: mongo.TopologyDescriptionChangedEvent): void => {
    this.log.record([...newDescription.servers.values()].some(({ isWritable }) => isWritable));
  };
}

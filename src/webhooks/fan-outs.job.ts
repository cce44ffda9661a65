import { Injectable } from '@nestjs/common';
import { Job } from '../jobs/job.js';
import { RoundRobin } from '../jobs/round-robin.js';
import { insert, remove } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { DELIVERIES, FAN_OUTS, type FanOut } from './delivery.js';

/** Inserts the deliveries of large commits, one fan-out of an account at a time. */
@Injectable()
export class FanOuts extends Job {
  private readonly accounts: RoundRobin<FanOut>;

  constructor(
    store: Store,
    private readonly decisions: Decisions,
  ) {
    super({ interval: 250, pause: 1 });
    this.accounts = new RoundRobin(store, FAN_OUTS, {}, 'accountId');
  }

  async step(): Promise<boolean> {
    let inserted = 0;
    const isMore = await this.accounts.visitNext(async (fanOut) => {
      const deliveries = fanOut.deliveries.map((delivery) => insert(DELIVERIES, delivery));
      const { ok } = await this.decisions.commit([remove(FAN_OUTS, fanOut), ...deliveries]);
      inserted += Number(ok);
      return !this.isStopping;
    });
    return isMore || inserted > 0;
  }
}

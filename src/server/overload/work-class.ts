import { Injectable } from '@nestjs/common';
import { ExtendRouteConfig } from '../extend-route-config.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

/**
 * License checks are what shipped software depends on: no other work can use their capacity. Neither can hashing a password.
 * Health checks are served under overload, too: an instance that is taken out of rotation leaves its share to the others.
 */
export const WORK_CLASS_NAMES = ['licenseChecks', 'passwords', 'other', 'healthChecks'] as const;

export type WorkClassName = (typeof WORK_CLASS_NAMES)[number];

declare module 'fastify' {
  interface FastifyContextConfig {
    workClass?: WorkClassName;
  }
}

/** Declares the class of a route's requests; without it, they are other work. */
export const InWorkClass = (workClass: WorkClassName) => ExtendRouteConfig({ workClass });

export interface Places {
  readonly all: number;
  /** Of all, those under overload: the requests that are served then wait for less than half a second. */
  readonly underOverload: number;
  /** Of all, those for requests of one address. */
  readonly ofAddress: number;
}

/** Overload ends this long after the last rejection, in milliseconds. */
const COOL_DOWN = 1000;

/**
 * The places of one class of work. A request takes one while it waits to be handled, and one from the arrival of its body until
 * its response is ready: slow senders and slow readers occupy none.
 */
export class WorkClass {
  waiting = 0;
  inProgress = 0;
  /** Requests in progress of each address. */
  readonly addresses: ConcurrencyLimiter;
  private overloadEndsAt = 0;

  constructor(private readonly places: Places) {
    this.addresses = new ConcurrencyLimiter(places.ofAddress, 'address');
  }

  /** Whether there is a place for a request that has arrived. If not, the class is overloaded: there are fewer for a while. */
  hasPlace(): boolean {
    const now = performance.now();
    const { all, underOverload } = this.places;
    const places = now < this.overloadEndsAt ? underOverload : all;
    if (this.waiting + this.inProgress < places) return true;
    this.overloadEndsAt = now + COOL_DOWN;
    return false;
  }

  /** Whether all places are taken, by bodies that arrived at once. */
  isFull(): boolean {
    return this.inProgress >= this.places.all;
  }
}

const UNBOUNDED: Places = { all: Infinity, underOverload: Infinity, ofAddress: Infinity };
/** Requests of one account in progress. */
const MAX_OF_ACCOUNT = 32;

/** The capacity of each class of work, of which none can use another's, and each account's share of it. */
@Injectable()
export class WorkClasses implements Record<WorkClassName, WorkClass> {
  readonly licenseChecks = new WorkClass({ all: 512, underOverload: 128, ofAddress: 384 });
  /** One or two are hashed at a time, each for about 50 ms. */
  readonly passwords = new WorkClass({ all: 32, underOverload: 4, ofAddress: 24 });
  readonly other = new WorkClass({ all: 256, underOverload: 32, ofAddress: 64 });
  readonly healthChecks = new WorkClass(UNBOUNDED);
  readonly accounts = new ConcurrencyLimiter(MAX_OF_ACCOUNT, 'account');
}

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

/** How many requests may wait or be in progress. */
export interface Capacity {
  readonly all: number;
  /** Capacity while shedding load; keeps queueing under 500 ms. */
  readonly underOverload: number;
  /** Requests in progress of one address. */
  readonly ofAddress: number;
}

/** Overload ends this long after the last rejection, in milliseconds. */
const COOL_DOWN = 1000;

/**
 * Counts the requests of one class of work against its capacity. A request counts while it waits to be handled, then from the
 * arrival of its body until its response is ready. Slow senders and slow readers do not count.
 */
export class WorkClass {
  waiting = 0;
  inProgress = 0;
  /** Requests in progress of each address. */
  readonly addresses: ConcurrencyLimiter;
  private overloadEndsAt = 0;

  constructor(private readonly capacity: Capacity) {
    this.addresses = new ConcurrencyLimiter(capacity.ofAddress, 'address');
  }

  /** Whether there is capacity for a new request. If not, the class counts as overloaded, with less capacity for a while. */
  hasCapacity(): boolean {
    const now = performance.now();
    const { all, underOverload } = this.capacity;
    const capacity = now < this.overloadEndsAt ? underOverload : all;
    if (this.waiting + this.inProgress < capacity) return true;
    this.overloadEndsAt = now + COOL_DOWN;
    return false;
  }

  /** Whether the requests in progress use up the capacity, because many bodies arrived at the same time. */
  isFull(): boolean {
    return this.inProgress >= this.capacity.all;
  }
}

const UNBOUNDED: Capacity = { all: Infinity, underOverload: Infinity, ofAddress: Infinity };
/** Requests of one account in progress. */
const MAX_OF_ACCOUNT = 32;

/** The capacity of each class of work, which no other class can use, and the share that one account may use. */
@Injectable()
export class WorkClasses implements Record<WorkClassName, WorkClass> {
  readonly licenseChecks = new WorkClass({ all: 512, underOverload: 128, ofAddress: 384 });
  /** One or two are hashed at a time, for about 50 ms each. */
  readonly passwords = new WorkClass({ all: 32, underOverload: 4, ofAddress: 24 });
  readonly other = new WorkClass({ all: 256, underOverload: 32, ofAddress: 64 });
  readonly healthChecks = new WorkClass(UNBOUNDED);
  readonly accounts = new ConcurrencyLimiter(MAX_OF_ACCOUNT, 'account');
}

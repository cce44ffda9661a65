import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.js';
import type { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { addressOf } from './client-address.js';
import { onClosed } from './connections.js';
import { rejectEarly } from './reject-early.js';
import type { RejectionMetrics } from './rejection-metrics.js';
import type { WorkClassName } from './route-config.js';

/** Maximum number of requests in progress. */
interface Bounds {
  readonly all: number;
  readonly ofAddress: number;
  readonly ofAccount: number;
}

type BoundsOfClasses = Readonly<Record<WorkClassName, Bounds | undefined>>;

/** No address or account can hold more than a quarter of a class. A request waits for at most as many others as there are slots. */
export const BOUNDS: BoundsOfClasses = {
  licenseChecks: { all: 512, ofAddress: 128, ofAccount: 128 },
  // Only one or two are hashed at a time, about 50 ms each.
  passwords: { all: 16, ofAddress: 4, ofAccount: 4 },
  webhookUrls: { all: 64, ofAddress: 8, ofAccount: 4 },
  // Up to 1 MiB each, held while it arrives.
  imports: { all: 4, ofAddress: 1, ofAccount: 1 },
  other: { all: 128, ofAddress: 32, ofAccount: 32 },
  healthChecks: undefined,
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The slots of {@link Capacity} that the request holds; undefined until its body has arrived. */
    slots: string[] | undefined;
  }
}

/** Limits the requests in progress per class of work, and per address and account within a class. */
export class Capacity {
  private readonly inProgress = new Map<string, number>();

  constructor(private readonly bounds = BOUNDS) {}

  /** The number of classes, addresses and accounts with requests in progress. */
  get size(): number {
    return this.inProgress.size;
  }

  /**
   * Adds the hook. A request holds its slots from when its body has arrived, so slow senders hold none, until its response has been read.
   */
  register(fastify: FastifyInstance, metrics: RejectionMetrics, { corsOrigins }: Config): void {
    fastify.decorateRequest('slots', undefined);
    fastify.decorateRequest('isRejected', false);
    fastify.addHook('onRequest', (request, reply, done) => {
      const isHeld = request.raw.complete || request.routeOptions.config.workClass === 'imports';
      const rejection = isHeld ? this.admit(request) : undefined;
      if (!rejection) return done();
      metrics.count(rejection, request.routeOptions.config.workClass);
      rejectEarly(request, reply, rejection, corsOrigins);
    });
    // The body arrived later. A missing file runs the hooks a second time.
    fastify.addHook('preHandler', (request, _reply, done) => {
      done(request.slots ? undefined : this.admit(request));
    });
    // Work always ends in a response, even after the caller has disconnected.
    fastify.addHook('onSend', ({ slots }, { raw }, _payload, done) => {
      const taken = slots?.splice(0) ?? [];
      if (taken.length > 0) onClosed(raw, () => this.release(taken));
      done();
    });
  }

  /** @throws DomainError TOO_MANY_CONCURRENT_REQUESTS if the account has too many requests in progress */
  admitAccount(request: FastifyRequest, { accountId }: Pick<Principal, 'accountId'>): void {
    const { workClass, bounds } = this.classOf(request);
    const slot = `${workClass} ${accountId}`;
    if (!bounds || request.slots!.includes(slot)) return;
    if (this.take(request, slot, bounds.ofAccount)) return;
    throw this.releaseAndReject(request, OF_ACCOUNT);
  }

  /** Takes a slot, if one is free. */
  take({ slots }: Pick<FastifyRequest, 'slots'>, slot: string, most: number): boolean {
    const count = this.inProgress.get(slot) ?? 0;
    if (count >= most) return false;
    this.inProgress.set(slot, count + 1);
    slots!.push(slot);
    return true;
  }

  private admit(request: FastifyRequest): DomainError | undefined {
    const { workClass, bounds } = this.classOf(request);
    request.slots = [];
    if (!bounds) return undefined;
    if (!this.take(request, workClass, bounds.all))
      return this.releaseAndReject(request, OVERLOADED);
    const slot = `${workClass} ${addressOf(request)}`;
    if (!this.take(request, slot, bounds.ofAddress))
      return this.releaseAndReject(request, OF_ADDRESS);
    return undefined;
  }

  private classOf({ routeOptions }: FastifyRequest) {
    const { workClass = 'other' } = routeOptions.config;
    return { workClass, bounds: this.bounds[workClass] };
  }

  /** A rejected request holds no slot. */
  private releaseAndReject({ slots }: FastifyRequest, rejection: DomainError): DomainError {
    this.release(slots!.splice(0));
    return rejection;
  }

  private release(slots: readonly string[]): void {
    for (const slot of slots) {
      const count = this.inProgress.get(slot)! - 1;
      if (count > 0) this.inProgress.set(slot, count);
      else this.inProgress.delete(slot);
    }
  }
}

const tooMany = (rejectedBy: 'address' | 'account') =>
  new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { rejectedBy });

// Created once, because the stack trace of an error costs 20 µs.
const OVERLOADED = new DomainError('OVERLOADED', {}, { rejectedBy: 'capacity' });
const OF_ADDRESS = tooMany('address');
const OF_ACCOUNT = tooMany('account');

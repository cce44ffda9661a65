import { ExtendRouteConfig } from '../extend-route-config.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import type { EventLoop } from './event-loop.js';

/**
 * License checks are what shipped software depends on: no other work can use their capacity. Requests that hash a
 * password, and dashboards, wait for their turn in the class's own few places.
 */
export const WORK_CLASS_NAMES = ['licenseChecks', 'passwords', 'dashboards', 'other'] as const;

export type WorkClassName = (typeof WORK_CLASS_NAMES)[number];

declare module 'fastify' {
  interface FastifyContextConfig {
    workClass?: WorkClassName;
    /** Served under overload, too: an instance that is taken out of rotation leaves its share to the others. */
    isHealthCheck?: boolean;
  }
}

export const HealthCheckRoute = () => ExtendRouteConfig({ isHealthCheck: true });

/** Declares the class of a route's requests; without it, they are other work. */
export const InWorkClass = (workClass: WorkClassName) => ExtendRouteConfig({ workClass });

export interface WorkBounds {
  /** Requests in progress, however fast each is: bounds what they hold of memory. */
  readonly maxConcurrency: number;
  /** The same while the service rejects requests of any class: fewer where requests wait for each other. */
  readonly maxUnderOverload?: number;
  /** Requests in progress of one address. */
  readonly maxOfAddress: number;
  /** Longest tick in which requests are still admitted, in ms: a burst is served, at the price of waiting. */
  readonly tickBudget: number;
  /** Requests that a tick admits under overload, however long it has taken. */
  readonly minPerTick: number;
  /** Slow threshold in ms, far below the 500 ms SLO because lowering concurrency takes time to show. */
  readonly slowAfter: number;
}

/** Concurrency floor: the limit never drops below it. */
const MIN_CONCURRENCY = 32;
/** Above this share of slow responses the concurrency limit is halved; at or below it, the limit grows. */
const SLOW_SHARE = 1 / 20;
const GROWTH = 16;

/** The same under overload, so that admitted requests do not wait behind a queue that never ends. */
const OVERLOAD_TICK_BUDGET = 8;
/** Requests that a tick admits without overload, however long it has taken: a pause of the machine is no overload. */
const MIN_PER_TICK = 64;
/** Cool-down in ms: overload ends after this long without rejections. */
const COOL_DOWN = 1000;

/** Admits the requests of one class of work: by the time left in the tick, and by how many are in progress. */
export class WorkClass {
  inProgress = 0;
  readonly addresses: ConcurrencyLimiter;
  private concurrency: number;
  private completed = 0;
  private slow = 0;
  private tick = -1;
  private admittedInTick = 0;
  private overloadEndsAt = 0;

  constructor(
    private readonly loop: EventLoop,
    private readonly bounds: WorkBounds,
    private readonly isServiceOverloaded: () => boolean,
  ) {
    this.concurrency = bounds.maxConcurrency;
    this.addresses = new ConcurrencyLimiter(bounds.maxOfAddress, 'address');
  }

  /** Admits one request before its body has arrived, or reports overload. */
  tryAdmit(): boolean {
    const now = performance.now();
    if (this.hasTime(now) && this.inProgress < this.limit()) return true;
    this.overloadEndsAt = now + COOL_DOWN;
    return false;
  }

  /** Whether all places are taken, by bodies that arrived at once. */
  isFull(): boolean {
    return this.inProgress >= this.bounds.maxConcurrency;
  }

  /** Whether requests of this class were rejected within the last second. */
  isOverloaded(): boolean {
    return performance.now() < this.overloadEndsAt;
  }

  private limit(): number {
    const { maxUnderOverload } = this.bounds;
    return maxUnderOverload !== undefined && this.isServiceOverloaded()
      ? Math.min(this.concurrency, maxUnderOverload)
      : this.concurrency;
  }

  private hasTime(now: number): boolean {
    if (this.tick !== this.loop.tick) {
      this.tick = this.loop.tick;
      this.admittedInTick = 0;
    }
    this.admittedInTick += 1;
    const isOverloaded = now < this.overloadEndsAt;
    if (this.admittedInTick <= (isOverloaded ? this.bounds.minPerTick : MIN_PER_TICK)) return true;
    return this.loop.elapsed() <= (isOverloaded ? OVERLOAD_TICK_BUDGET : this.bounds.tickBudget);
  }

  /** @param took milliseconds of work, without those of waiting */
  complete(took: number): void {
    this.completed += 1;
    if (took > this.bounds.slowAfter) this.slow += 1;
  }

  /**
   * Adapts the concurrency limit to the responses since the last call. Where a store is slower than requests come,
   * ever more are in progress and each takes longer.
   */
  adapt(): void {
    const isSlow = this.completed === 0 || this.slow > this.completed * SLOW_SHARE;
    if (isSlow && this.inProgress >= MIN_CONCURRENCY) {
      const current = Math.min(this.inProgress, this.concurrency);
      this.concurrency = Math.max(MIN_CONCURRENCY, Math.floor(current / 2));
    } else {
      this.concurrency = Math.min(this.bounds.maxConcurrency, this.concurrency + GROWTH);
    }
    this.completed = 0;
    this.slow = 0;
  }
}

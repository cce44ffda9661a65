import { Injectable } from '@nestjs/common';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { EventLoop } from './event-loop.js';
import { type WorkBounds, WorkClass, type WorkClassName } from './work-class.js';

const LICENSE_CHECKS: WorkBounds = {
  maxConcurrency: 1024,
  maxOfAddress: 512,
  tickBudget: 200,
  minPerTick: 64,
  slowAfter: 50,
};
const OTHER: WorkBounds = {
  maxConcurrency: 256,
  maxOfAddress: 64,
  tickBudget: 50,
  minPerTick: 16,
  slowAfter: 100,
};
/** The last of a burst waits for less than two seconds, and under overload for less than half of one. */
const TAKING_TURNS: WorkBounds = {
  ...OTHER,
  maxConcurrency: 32,
  maxUnderOverload: 4,
  maxOfAddress: 24,
};

/** Requests of one account in progress, those that wait for each other included. */
const MAX_OF_ACCOUNT = 32;

/** The capacity of each class of work, of which none can use another's, and each account's share of it. */
@Injectable()
export class WorkClasses implements Record<WorkClassName, WorkClass> {
  readonly licenseChecks: WorkClass;
  readonly passwords: WorkClass;
  readonly dashboards: WorkClass;
  readonly other: WorkClass;
  readonly accounts = new ConcurrencyLimiter(MAX_OF_ACCOUNT, 'account');

  constructor(loop: EventLoop) {
    const create = (bounds: WorkBounds) =>
      new WorkClass(loop, bounds, () => this.all().some((each) => each.isOverloaded()));
    this.licenseChecks = create(LICENSE_CHECKS);
    this.passwords = create(TAKING_TURNS);
    this.dashboards = create(TAKING_TURNS);
    this.other = create(OTHER);
  }

  all(): WorkClass[] {
    return [this.licenseChecks, this.passwords, this.dashboards, this.other];
  }

  adapt(): void {
    this.all().forEach((workClass) => workClass.adapt());
  }
}

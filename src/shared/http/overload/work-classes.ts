import { Injectable } from '@nestjs/common';
import { EventLoop } from './event-loop.js';
import { WorkClass, type WorkClassName } from './work-class.js';

/** The capacity of each class of work; none can use another's. */
@Injectable()
export class WorkClasses implements Record<WorkClassName, WorkClass> {
  readonly licenseChecks: WorkClass;
  readonly other: WorkClass;

  constructor(loop: EventLoop) {
    this.licenseChecks = new WorkClass(loop, {
      maxConcurrency: 1024,
      maxOfAddress: 512,
      tickBudget: 200,
      minPerTick: 64,
      slowAfter: 50,
    });
    this.other = new WorkClass(loop, {
      maxConcurrency: 256,
      maxOfAddress: 64,
      tickBudget: 50,
      minPerTick: 16,
      slowAfter: 100,
    });
  }

  adapt(): void {
    this.licenseChecks.adapt();
    this.other.adapt();
  }
}

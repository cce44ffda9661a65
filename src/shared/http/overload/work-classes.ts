import { Injectable } from '@nestjs/common';
import { EventLoop } from './event-loop.js';
import { WorkClass, type WorkBounds, type WorkClassName } from './work-class.js';

const OTHER: WorkBounds = {
  maxConcurrency: 256,
  maxOfAddress: 64,
  tickBudget: 50,
  minPerTick: 16,
  slowAfter: 100,
};

/** Its requests wait for each other: as many as the last of them can wait for within its deadline. */
const TAKING_TURNS: WorkBounds = { ...OTHER, maxConcurrency: 32, maxOfAddress: 24 };

/** The capacity of each class of work; none can use another's. */
@Injectable()
export class WorkClasses implements Record<WorkClassName, WorkClass> {
  readonly licenseChecks: WorkClass;
  readonly passwords: WorkClass;
  readonly dashboards: WorkClass;
  readonly other: WorkClass;

  constructor(loop: EventLoop) {
    this.licenseChecks = new WorkClass(loop, {
      maxConcurrency: 1024,
      maxOfAddress: 512,
      tickBudget: 200,
      minPerTick: 64,
      slowAfter: 50,
    });
    this.passwords = new WorkClass(loop, TAKING_TURNS);
    this.dashboards = new WorkClass(loop, TAKING_TURNS);
    this.other = new WorkClass(loop, OTHER);
  }

  all(): WorkClass[] {
    return [this.licenseChecks, this.passwords, this.dashboards, this.other];
  }

  adapt(): void {
    this.all().forEach((workClass) => workClass.adapt());
  }
}

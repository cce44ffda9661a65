import { Injectable } from '@nestjs/common';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { WorkClass, type WorkClassName } from './work-class.js';

/** Requests of one account in progress. */
const MAX_OF_ACCOUNT = 32;

/** The capacity of each class of work, of which none can use another's, and each account's share of it. */
@Injectable()
export class WorkClasses implements Record<WorkClassName, WorkClass> {
  readonly licenseChecks = new WorkClass({ all: 512, underOverload: 128, ofAddress: 384 });
  /** One or two are hashed at a time, each for about 50 ms. */
  readonly passwords = new WorkClass({ all: 32, underOverload: 4, ofAddress: 24 });
  readonly other = new WorkClass({ all: 256, underOverload: 32, ofAddress: 64 });
  readonly accounts = new ConcurrencyLimiter(MAX_OF_ACCOUNT, 'account');
}

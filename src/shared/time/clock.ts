import { Injectable } from '@nestjs/common';

/** The only source of the current time, so tests can set it. */
export abstract class Clock {
  /** The current time, UTC, with milliseconds. */
  abstract now(): Date;
}

@Injectable()
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

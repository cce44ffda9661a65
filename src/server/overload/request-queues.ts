import { Injectable } from '@nestjs/common';
import type { WorkClassName } from './work-class.js';

/** Longest time for the requests of one queue in an iteration of the event loop, in milliseconds. A response takes up to three of them. */
const LONGEST = 5;
/** The same for rejections. Under overload they are most of what arrives, and have to be sent as fast. */
const LONGEST_OF_REJECTIONS = 20;
/** The same while connections wait to be accepted, in one of eight iterations: one request takes about as long. */
const LONGEST_WHILE_ACCEPTING = 0.25;
const MAX_SKIPPED = 7;

type Handle = () => void;

type QueueName = WorkClassName | 'rejections';

/**
 * Requests that have arrived, by class of work in order of arrival. They are handled once an iteration of the event loop has read all
 * that there are: callers that send the next request at once would otherwise fill an iteration by themselves. libuv accepts
 * one connection in each iteration, so iterations are kept short until none waits.
 */
@Injectable()
export class RequestQueues {
  private readonly queues: Readonly<Record<QueueName, Handle[]>> = {
    licenseChecks: [],
    passwords: [],
    other: [],
    rejections: [],
    healthChecks: [],
  };
  private isScheduled = false;
  private hasAccepted = false;
  private skipped = 0;

  /** Notes that this iteration has accepted a connection, behind which others may wait. */
  noteConnection(): void {
    this.hasAccepted = true;
  }

  add(queue: QueueName, handle: Handle): void {
    this.queues[queue].push(handle);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.handle());
  }

  private handle(): void {
    this.isScheduled = false;
    const isAccepting = this.hasAccepted;
    this.hasAccepted = false;
    this.skipped = isAccepting && this.skipped < MAX_SKIPPED ? this.skipped + 1 : 0;
    if (this.skipped > 0) return this.schedule();

    const { licenseChecks, passwords, other, rejections, healthChecks } = this.queues;
    const longest = isAccepting ? LONGEST_WHILE_ACCEPTING : LONGEST;
    handleFor(longest, licenseChecks);
    handleFor(longest, passwords);
    handleFor(longest, other);
    handleFor(isAccepting ? longest : LONGEST_OF_REJECTIONS, rejections);
    // One, so that a flood of them leaves time for everything else.
    handleFor(0, healthChecks);
    if (Object.values(this.queues).some((queue) => queue.length > 0)) this.schedule();
  }
}

/** Handles the first of a queue, and more of it for some milliseconds. */
function handleFor(milliseconds: number, queue: Handle[]): void {
  if (queue.length === 0) return;
  const end = performance.now() + milliseconds;
  let handled = 0;
  do queue[handled++]!();
  while (handled < queue.length && performance.now() < end);
  queue.splice(0, handled);
}

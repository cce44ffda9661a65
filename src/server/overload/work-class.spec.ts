import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { EventLoop } from './event-loop.js';
import { WorkClass } from './work-class.js';
import { Work } from './work.js';

const BOUNDS = {
  maxConcurrency: 256,
  maxUnderOverload: 200,
  maxOfAddress: 64,
  tickBudget: 200,
  minPerTick: 16,
  slowAfter: 200,
};

/** A response that its caller has read. */
const closed = Object.assign(new EventEmitter(), { closed: true }) as ServerResponse;

let now: number;
let loop: { tick: number; elapsed: () => number };
let tickStartedAt: number;
let workClass: WorkClass;
let isServiceOverloaded: boolean;

beforeEach(() => {
  now = tickStartedAt = 0;
  isServiceOverloaded = false;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  loop = { tick: 0, elapsed: () => now - tickStartedAt };
  workClass = new WorkClass(loop as EventLoop, BOUNDS, () => isServiceOverloaded);
});
afterEach(() => jest.restoreAllMocks());

/** Whether the last of this many requests is admitted. */
const admit = (requests: number) =>
  Array.from({ length: requests }, () => workClass.tryAdmit()).at(-1);
const nextTick = () => {
  loop.tick += 1;
  tickStartedAt = now;
};

describe('The capacity of a work class', () => {
  it('is occupied by requests that have begun, not by admitted ones', () => {
    const requests = Array.from({ length: 256 }, () => new Work(workClass));
    expect([workClass.tryAdmit(), workClass.isFull()]).toEqual([false, true]);
    requests[0]!.finish(closed);
    expect([workClass.tryAdmit(), workClass.isFull()]).toEqual([true, false]);
  });

  it('is smaller while the service is overloaded', () => {
    const requests = Array.from({ length: 200 }, () => new Work(workClass));
    expect(workClass.tryAdmit()).toBe(true);
    isServiceOverloaded = true;
    expect(workClass.tryAdmit()).toBe(false);
    requests[0]!.finish(closed);
    expect(workClass.tryAdmit()).toBe(true);
  });
});

describe('A work class, by the time that a tick has taken,', () => {
  it('admits 64 requests in a tick, however long one of them takes', () => {
    admit(1);
    now += 5000;
    expect(admit(63)).toBe(true);
    expect(admit(1)).toBe(false);
  });

  it('admits again in the next tick', () => {
    admit(64);
    now += 201;
    admit(1);
    nextTick();
    expect(admit(16)).toBe(true);
  });

  it('admits for 8 ms of a tick, or its minimum of requests, until 1 s after the last rejection', () => {
    admit(64);
    now += 201;
    admit(1);
    nextTick();
    now += 9;
    expect(admit(16)).toBe(true);
    expect(admit(1)).toBe(false);

    nextTick();
    now += 8;
    expect(admit(64)).toBe(true);
    now += 1;
    expect(admit(1)).toBe(false);

    now += 1000;
    nextTick();
    admit(64);
    now += 9;
    expect(admit(1)).toBe(true);
  });

  it('admits its minimum in every tick, however long another class has taken', () => {
    const other = new WorkClass(loop as EventLoop, BOUNDS, () => isServiceOverloaded);
    for (let i = 0; i < 1000; i++) other.tryAdmit();
    now += 500;
    expect(other.tryAdmit()).toBe(false);
    expect(admit(64)).toBe(true);
  });
});

describe('A work class limits its requests in progress', () => {
  let works: Work[];
  beforeEach(() => (works = []));

  const begin = (count: number) => {
    for (let i = 0; i < count; i++) works.push(new Work(workClass));
  };
  const response = () => new EventEmitter() as unknown as ServerResponse;
  const complete = (count: number) =>
    works.splice(0, count).forEach((work) => work.finish(response()));
  const isAdmitted = () => {
    nextTick();
    return workClass.tryAdmit();
  };
  /** How many more are admitted. */
  const room = () => {
    const before = workClass.inProgress;
    while (isAdmitted()) begin(1);
    return workClass.inProgress - before;
  };

  it('to half as many, each time that more than one response in twenty took over 200 ms', () => {
    begin(256);
    now += 201;
    complete(20);
    workClass.adapt();
    expect(workClass.inProgress).toBe(236);
    complete(118);
    expect(isAdmitted()).toBe(false);
    complete(1);
    expect(isAdmitted()).toBe(true);
  });

  it('to as many as before where one response in twenty was slow', () => {
    begin(200);
    now += 201;
    complete(1);
    now -= 201;
    complete(19);
    workClass.adapt();
    expect(180 + room()).toBe(256);
  });

  it('to 32 at least, however slow the responses are', () => {
    begin(256);
    for (let i = 0; i < 10; i++) workClass.adapt();
    complete(225);
    expect(isAdmitted()).toBe(true);
    begin(1);
    expect(isAdmitted()).toBe(false);
  });

  it('to 256 again, 1.4 s after the last slow response', () => {
    begin(256);
    for (let i = 0; i < 10; i++) workClass.adapt();
    complete(256);
    for (let i = 0; i < 15; i++) workClass.adapt();
    expect(room()).toBe(256);
  });
});

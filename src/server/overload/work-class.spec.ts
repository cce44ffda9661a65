import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Work } from './work.js';
import { WorkClass } from './work-class.js';

let now: number;
let workClass: WorkClass;

beforeEach(() => {
  now = 10_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  workClass = new WorkClass({ all: 10, underOverload: 4, ofAddress: 6 });
});
afterEach(() => jest.restoreAllMocks());

/** A response, whose caller may have gone. */
const response = (destroyed: boolean) =>
  Object.assign(new EventEmitter(), { req: { socket: { destroyed } } }) as ServerResponse;

const begin = (count: number) => Array.from({ length: count }, () => new Work(workClass));

describe('The capacity of a work class', () => {
  it('is shared by waiting requests and requests in progress', () => {
    workClass.waiting = 4;
    const works = begin(5);
    expect(workClass.hasCapacity()).toBe(true);
    works.push(...begin(1));
    expect([workClass.hasCapacity(), workClass.isFull()]).toEqual([false, false]);
    begin(4);
    expect(workClass.isFull()).toBe(true);
  });

  it('is lower until 1 s after the last rejection', () => {
    const works = begin(10);
    expect(workClass.hasCapacity()).toBe(false);
    const finish = (count: number) =>
      works.splice(0, count).forEach((work) => work.finish(response(true)));
    finish(6);
    now += 999;
    expect(workClass.hasCapacity()).toBe(false);
    finish(1);
    expect(workClass.hasCapacity()).toBe(true);
    works.push(...begin(1));
    now += 1000;
    expect(workClass.hasCapacity()).toBe(true);
  });
});

describe('The work for a request', () => {
  it('takes capacity until it is finished, and holds its permits until the response is closed', () => {
    const release = jest.fn();
    const work = new Work(workClass);
    work.hold(release);
    const sent = response(false);
    work.finish(sent);
    work.finish(sent);
    expect(workClass.inProgress).toBe(0);
    expect(release).not.toHaveBeenCalled();
    sent.emit('close');
    expect(release).toHaveBeenCalledTimes(1);
  });
});

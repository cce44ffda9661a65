import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WorkInProgress } from './work-in-progress.js';

type Hook = (...parameters: unknown[]) => void;

describe('WorkInProgress', () => {
  let work: WorkInProgress;
  let requests: Partial<FastifyRequest>[];
  let hooks: Record<string, Hook>;
  let now: number;

  beforeEach(() => {
    now = 0;
    jest.useFakeTimers({ doNotFake: ['performance'] });
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    requests = [];
    hooks = {};
    work = new WorkInProgress();
    work.watch({
      decorateRequest: () => undefined,
      addHook: (name: string, hook: Hook) => (hooks[name] = hook),
    } as unknown as FastifyInstance);
    work.onModuleInit();
  });
  afterEach(() => {
    work.onApplicationShutdown();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  const done = () => undefined;
  const begin = (count: number) => {
    for (let i = 0; i < count; i++) {
      const request = {};
      requests.push(request);
      hooks.preHandler!(request, undefined, done);
    }
  };
  const answer = (count: number) => {
    for (const request of requests.splice(0, count)) {
      hooks.onSend!(request, undefined, undefined, done);
    }
  };
  /** Time passes, and it looks each 100 ms. */
  const pass = (milliseconds: number) => {
    now += milliseconds;
    jest.advanceTimersByTime(milliseconds);
  };
  /** How many more there is room for. */
  const room = () => {
    const before = work.size;
    while (work.hasRoom()) begin(1);
    const begun = work.size - before;
    for (const request of requests.splice(-begun, begun)) {
      hooks.onSend!(request, undefined, undefined, done);
    }
    return begun;
  };

  it('has room for a burst, up to 256', () => {
    begin(255);
    expect(work.hasRoom()).toBe(true);

    begin(1);
    expect(work.hasRoom()).toBe(false);
  });

  it('has room for half as many, each time that more than one in twenty answers took over 200 ms', () => {
    begin(256);
    now += 201;
    answer(20);
    pass(100);
    expect(work.size).toBe(236);
    answer(118);
    expect(work.hasRoom()).toBe(false);
    answer(1);
    expect(work.hasRoom()).toBe(true);
  });

  it('has room for as many as before where one in twenty was slow', () => {
    begin(200);
    now += 201;
    answer(1);
    now -= 201;
    answer(19);
    pass(100);

    expect(180 + room()).toBe(256);
  });

  it('has room for half as many where none was answered', () => {
    begin(200);
    pass(100);
    answer(101);

    expect(work.hasRoom()).toBe(true);
    begin(1);
    expect(work.hasRoom()).toBe(false);
  });

  it('has room for 32, however long each takes', () => {
    begin(256);
    pass(1000);
    answer(225);
    expect(work.hasRoom()).toBe(true);

    begin(1);
    expect(work.hasRoom()).toBe(false);
  });

  it('has room for all of them soon after the last slow answer', () => {
    begin(256);
    pass(1000);
    answer(256);
    pass(1400);

    expect(room()).toBe(256);
  });

  it('counts an answer once, and none to what it did not work on', () => {
    begin(1);
    const [request] = requests;
    answer(1);
    hooks.onSend!(request, undefined, undefined, done);
    hooks.onSend!({}, undefined, undefined, done);

    expect(work.size).toBe(0);
  });
});

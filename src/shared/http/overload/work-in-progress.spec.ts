import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WorkInProgress } from './work-in-progress.js';

type Hook = (...parameters: unknown[]) => void;

describe('WorkInProgress', () => {
  let work: WorkInProgress;
  let requests: Partial<FastifyRequest>[];
  let hooks: Record<string, Hook>;

  beforeEach(() => {
    jest.useFakeTimers();
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
  const look = () => jest.advanceTimersByTime(100);

  it('has no room while more is worked on than is answered in 200 ms at the last pace', () => {
    begin(200);
    answer(40);
    look();
    answer(80);
    expect(work.hasRoom()).toBe(false);

    answer(1);
    expect(work.hasRoom()).toBe(true);
  });

  it('has room for a burst, up to 512', () => {
    begin(511);
    expect(work.hasRoom()).toBe(true);

    begin(1);
    expect(work.hasRoom()).toBe(false);
  });

  it('has room for 64, however long each takes', () => {
    begin(65);
    look();
    expect(work.hasRoom()).toBe(false);

    answer(2);
    expect(work.hasRoom()).toBe(true);
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

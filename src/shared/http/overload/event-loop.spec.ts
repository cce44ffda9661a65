import { EventLoop } from './event-loop.js';

describe('EventLoop', () => {
  let loop: EventLoop;
  let now: number;

  beforeEach(() => {
    now = 0;
    jest.useFakeTimers({ doNotFake: ['performance'] });
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    loop = new EventLoop();
    loop.onModuleInit();
  });
  afterEach(() => {
    loop.onApplicationShutdown();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  const begin = (requests: number) => Array.from({ length: requests }, () => loop.hasTime()).at(-1);
  /** Time passes within a turn: no timer runs. */
  const work = (milliseconds: number) => (now += milliseconds);
  const nextTurn = () => jest.advanceTimersByTime(10);

  it('has no time for a request that comes after 200 ms of others in one turn', () => {
    begin(64);
    work(201);

    expect(begin(1)).toBe(false);
  });

  it('serves a burst', () => {
    begin(1000);
    work(200);

    expect(begin(1000)).toBe(true);
  });

  it('serves the next requests of a turn that one of a few has made long', () => {
    begin(1);
    work(5000);

    expect(begin(63)).toBe(true);
    expect(begin(1)).toBe(false);
  });

  it('has time again in the next turn', () => {
    begin(64);
    work(201);
    begin(1);
    nextTurn();

    expect(begin(65)).toBe(true);
  });

  it.each([
    ['it had no time', () => (begin(64), work(201), begin(1))],
    ['it was told to hurry', () => loop.hurry()],
  ])('gives a turn 8 ms, or 16 requests, for a second after %s', (_what, happens) => {
    happens();
    nextTurn();
    work(9);
    expect(begin(16)).toBe(true);
    expect(begin(1)).toBe(false);

    nextTurn();
    work(8);
    expect(begin(64)).toBe(true);
    work(1);
    expect(begin(1)).toBe(false);

    work(1000);
    nextTurn();
    begin(64);
    work(9);
    expect(begin(1)).toBe(true);
  });
});

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

  it('measures a tick from its start, which no timer interrupts', () => {
    now = 150;
    expect(loop.elapsed()).toBe(150);
    expect(loop.tick).toBe(0);
  });

  it('numbers the ticks, and begins to measure anew in each', () => {
    now = 150;
    jest.advanceTimersByTime(10);
    expect(loop.tick).toBe(1);
    expect(loop.elapsed()).toBe(0);
  });

  it('stops with the application', () => {
    loop.onApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
  });
});

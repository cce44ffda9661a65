import { createLogger } from './logger.js';
import { StoreLog } from './store-log.js';

describe('StoreLog', () => {
  let lines: Record<string, unknown>[];
  let log: StoreLog;

  beforeEach(() => {
    jest.useFakeTimers();
    lines = [];
    const write = (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>);
    log = new StoreLog(createLogger({ logLevel: 'info' }, { write }));
  });
  afterEach(() => jest.useRealTimers());

  it('logs once that the store is unreachable, and once that it is back, and after how long', () => {
    for (const [ms, isReachable] of [
      [0, true],
      [1000, false],
      [1000, false],
      [3250, true],
      [750, true],
    ] as const) {
      jest.advanceTimersByTime(ms);
      log.note(isReachable);
    }

    expect(lines).toMatchObject([
      { level: 50, msg: 'the store is unreachable' },
      { level: 30, msg: 'the store is reachable again', seconds: 4.3 },
    ]);
  });

  it('says that the store is unreachable once it has been for 2 s, and until it is back', () => {
    log.note(false);
    jest.advanceTimersByTime(1999);
    expect(log.isReachable).toBe(true);
    jest.advanceTimersByTime(1);
    expect(log.isReachable).toBe(false);
    log.note(true);
    expect(log.isReachable).toBe(true);
  });

  it('logs nothing of a store that is back within 2 s, however often', () => {
    for (let i = 0; i < 5; i++) {
      log.note(false);
      jest.advanceTimersByTime(1900);
      log.note(true);
    }
    jest.advanceTimersByTime(10_000);

    expect(lines).toEqual([]);
  });

  it('logs no outage after it has stopped', () => {
    log.note(false);
    log.stop();
    jest.advanceTimersByTime(10_000);

    expect(lines).toEqual([]);
  });
});

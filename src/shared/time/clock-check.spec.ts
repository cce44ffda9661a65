import { Logger } from '@nestjs/common';
import { ModelStore } from '../../../test/contract/model-store.js';
import { FakeClock } from '../../../test/fake-clock.js';
import { PrometheusMetrics } from '../../metrics/prometheus-metrics.js';
import { DeploymentItems } from '../../storage/deployment-items.js';
import { ClockCheck } from './clock-check.js';

const [HOUR, DAY] = [3_600, 86_400];

describe('ClockCheck', () => {
  let clock: FakeClock;
  let running: number;
  let start: () => ClockCheck;
  let warn: jest.SpyInstance;
  let metrics: PrometheusMetrics;

  beforeEach(async () => {
    const items = new DeploymentItems(new ModelStore());
    clock = new FakeClock();
    running = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => running * 1_000);
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    start = () => new ClockCheck(items, clock, (metrics = new PrometheusMetrics()));
    expect(await start().mayDelete()).toBe(true);
  });
  afterEach(() => jest.restoreAllMocks());

  it('trusts a clock that continues while the service runs or is stopped for a weekend', async () => {
    const check = start();
    for (const seconds of [HOUR, 2 * DAY, -60, 3 * DAY]) {
      clock.advance({ seconds });
      expect(await check.mayDelete()).toBe(true);
    }
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([
    [800 * DAY, '800 days ahead of'],
    [-2 * HOUR, '2 hours behind'],
  ])(
    'allows no deletion for a day after each start with a clock off by %i s',
    async (seconds, text) => {
      clock.advance({ seconds });
      let check = start();
      for (running of [0, DAY - 1]) expect(await check.mayDelete()).toBe(false);
      expect(warn.mock.calls).toEqual([[expect.stringContaining(`The clock is ${text} the time`)]]);
      check = start();
      for (running of [DAY, 2 * DAY - 1]) expect(await check.mayDelete()).toBe(false);
      running = 2 * DAY;
      expect(await check.mayDelete()).toBe(true);
      expect(await start().mayDelete()).toBe(true);
    },
  );

  it('allows deletion again once the clock has been corrected', async () => {
    const check = start();
    clock.advance({ seconds: 800 * DAY });
    expect(await check.mayDelete()).toBe(false);
    expect(await metrics.text()).toContain('clock_doubtful 1\n');
    clock.advance({ seconds: -800 * DAY });
    expect(await check.mayDelete()).toBe(true);
    const text = await metrics.text();
    expect(text).toContain('clock_doubtful 0\n');
    expect(text).toContain(`clock_seconds ${clock.now().getTime() / 1000}\n`);
  });
});

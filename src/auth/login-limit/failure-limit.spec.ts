import { FakeClock } from '../../../test/fake-clock.js';
import { FailureLimit } from './failure-limit.js';

describe('FailureLimit', () => {
  it('keeps no count of open attempts for a key once they have ended, failed or not', () => {
    const limit = new FailureLimit({ requests: 3, seconds: 900 }, new FakeClock());
    const { open } = limit as unknown as { open: Map<string, number> };

    const attempts = ['ada', 'ada', 'eve'].map((key) => limit.reserve(key));
    expect([...open]).toEqual([
      ['ada', 2],
      ['eve', 1],
    ]);

    attempts.forEach((settle, index) => settle(index === 0));
    expect([...open]).toEqual([]);
  });
});

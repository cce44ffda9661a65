import { FakeClock } from '../../../test/fake-clock.js';
import { FailureLimit } from './failure-limit.js';

describe('FailureLimit', () => {
  it('forgets a key whose attempts have ended, whether they failed or not', () => {
    const limit = new FailureLimit({ requests: 3, seconds: 900 }, new FakeClock());
    const { inProgress } = limit as unknown as { inProgress: Map<string, number> };

    const attempts = ['ada', 'ada', 'eve'].map((key) => limit.reserve(key));
    expect([...inProgress]).toEqual([
      ['ada', 2],
      ['eve', 1],
    ]);

    attempts.forEach((end, index) => end(index === 0));
    expect([...inProgress]).toEqual([]);
  });
});

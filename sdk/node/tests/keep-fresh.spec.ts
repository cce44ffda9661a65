import { keepFresh, nextContact } from '../src/keep-fresh.js';
import type { Status } from '../src/status.js';
import { useCustomer } from '../../../test/sdk/customer.js';
import { active, DAY, issueCertificate, NOW } from '../../../test/sdk/issuer.js';
import { json } from '../../../test/sdk/scripted-service.js';

const HOUR = 3600;
const MINUTE_MS = 60_000;
const until = (seconds: number) => new Date((NOW + seconds) * 1000);

describe('the next request', () => {
  it.each([
    ['a day after one for a certificate of a month', until(30 * DAY), DAY],
    ['at a third of the rest of a certificate of a day', until(DAY), 8 * HOUR],
    ['a minute after one for a certificate that is over', until(-DAY), 60],
    ['a day after one without a certificate', null, DAY],
  ])('is due %s', (_name, end, expected) => {
    expect(nextContact({ at: NOW, failures: 0 }, end)).toBe(NOW + expected);
  });

  it('is due a minute after a failure, then with growing pauses, up to an hour', () => {
    const waits = [1, 2, 3, 7, 8, 1000].map(
      (failures) => nextContact({ at: NOW, failures }, until(HOUR)) - NOW,
    );
    expect(waits).toEqual([60, 120, 240, HOUR, HOUR, HOUR]);
  });
});

/** Counts the requests of a license that stays fresh, on its own clock and timers. */
class Machine {
  now = NOW;
  requests = 0;
  failing = false;
  readonly states: string[] = [];

  constructor(private readonly react: () => unknown = () => undefined) {}

  status(): Status {
    const reason = this.failing ? 'no_response' : null;
    return { state: 'valid', validUntil: until(7 * DAY), reason } as Status;
  }

  readonly stop = keepFresh(
    {
      now: () => this.now,
      status: () => this.status(),
      refresh: async () => {
        this.requests += 1;
        return this.status();
      },
    },
    ({ state }) => {
      this.states.push(state);
      return this.react();
    },
  );

  /** Time passes, but timers see only the minutes while the machine is awake. */
  async pass(seconds: number): Promise<number> {
    this.now += seconds;
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    return this.requests;
  }
}

describe('keepFresh', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] }));
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('sends requests immediately, then daily, soon after a laptop wakes up, and none after it is stopped', async () => {
    const machine = new Machine();
    expect(await machine.pass(0)).toBe(1);
    expect(await machine.pass(DAY - 1)).toBe(1);
    expect(await machine.pass(1)).toBe(2);
    expect(await machine.pass(5 * DAY)).toBe(3);
    expect(await machine.pass(-10 * DAY)).toBe(4);
    machine.stop();
    expect(await machine.pass(DAY)).toBe(4);
    expect(machine.states).toEqual(['valid']);
  });

  it('retries a minute after a failure, and calls back only if the state changes', async () => {
    const machine = new Machine();
    await machine.pass(0);
    machine.failing = true;
    await machine.pass(DAY);
    expect(await machine.pass(60)).toBe(3);
    expect(await machine.pass(60)).toBe(3);
    expect(await machine.pass(60)).toBe(4);
    machine.stop();
    expect(machine.states).toEqual(['valid']);
  });

  it.each<[string, (error: unknown) => unknown, unknown]>([
    ['throws a text', thrown, 'a text'],
    ['rejects', async (error) => thrown(error), new Error('of the callback')],
  ])(
    'turns a failure of its callback into a warning, and still refreshes the license: it %s',
    async (_name, fail, error) => {
      const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
      const machine = new Machine(() => fail(error));
      expect(await machine.pass(0)).toBe(1);
      expect(await machine.pass(DAY)).toBe(2);
      machine.stop();
      expect(warn.mock.calls).toEqual([[error]]);
    },
  );

  function thrown(error: unknown): never {
    throw error;
  }
});

describe('a license', () => {
  const customer = useCustomer();

  const firstState = () =>
    new Promise<string>((resolve) => {
      const stop = customer.license().keepFresh(({ state }) => {
        stop();
        resolve(state);
      });
    });

  it('is kept fresh by a refresh', async () => {
    await customer.activated();
    const service = await customer.script(active({ issuedAt: NOW + 1 }));
    expect(await firstState()).toBe('valid');
    expect(service.paths).toEqual(['/validate']);
  });

  it('with leases is kept fresh by heartbeats, and refreshed if they fail', async () => {
    await customer.activated({ leaseSeconds: HOUR });
    const certificate = issueCertificate({ leaseSeconds: HOUR });
    const service = await customer.script(json(200, { success: true, certificate }), json(503, {}));
    expect(await firstState()).toBe('valid');
    expect(await firstState()).toBe('valid');
    expect(service.paths).toEqual(['/validate/heartbeat', '/validate/heartbeat', '/validate']);
  });
});

import pLimit from 'p-limit';
import { ENGINES } from '../../engines.js';
import { timesInScope } from '../../scope.js';
import { atOnce } from '../at-once.js';
import { addLicense, createLicense, registerDeveloper, unknownKey } from '../developer.js';
import { useApp } from '../use-app.js';

const OFFICE = '203.0.113.1';
const MACHINES = timesInScope(500);
const ADDRESS_LIMIT = timesInScope(3000);
/** The accounts that own their licenses. */
const VENDORS = 10;

const fingerprintOf = (machine: number) => `fingerprint-of-machine-${machine}`;

describe.each(ENGINES)(`An office of ${MACHINES} machines behind one address, on %s`, (engine) => {
  const app = useApp(engine, {
    ...{ ACTIVATION_LIMIT: '', VALIDATION_LIMIT: '', UNKNOWN_KEY_LIMIT: '' },
    VALIDATION_ADDRESS_LIMIT: String(ADDRESS_LIMIT),
  });
  const keys: string[] = [];

  beforeAll(async () => {
    // Creations of one account run one after the other on MongoDB.
    await pLimit(VENDORS).map(Array(VENDORS).fill(0), async () => {
      const ada = await registerDeveloper(app);
      const first = await createLicense(app, ada);
      keys.push(first.key);
      for (let i = 1; i < MACHINES / VENDORS; i++) {
        keys.push((await addLicense(app, ada, first.project)).key);
      }
    });
    const activations = await pLimit(VENDORS).map(keys, (key, machine) => {
      // Activated elsewhere, by five an address: the activation limit is no part of this.
      const from = `198.51.100.${Math.floor(machine / 5)}`;
      return app.post('/validate/activate', { key, fingerprint: fingerprintOf(machine) }, { from });
    });
    expect(activations.map(({ status }) => status)).toEqual(keys.map(() => 200));
  });

  const validateAll = () =>
    Promise.all(
      keys.map(async (key, machine) => {
        const body = { key, fingerprint: fingerprintOf(machine) };
        const { status, body: response } = await app.post('/validate', body, { from: OFFICE });
        return `${status} ${response.status}`;
      }),
    );
  const guess = (i: number) => app.post('/validate', { key: unknownKey(i) }, { from: OFFICE });
  const guesses = async (from: number, to: number) => {
    const statuses: number[] = [];
    for (let i = from; i < to; i++) statuses.push((await guess(i)).status);
    return statuses;
  };
  const ALL_ACTIVE = Array<string>(MACHINES).fill('200 active');

  it('validates all of them at once', async () => {
    expect(await validateAll()).toEqual(ALL_ACTIVE);
  });

  it('stops one that guesses keys after 20, and still validates all of them', async () => {
    expect(await guesses(0, 300)).toEqual([
      ...Array<number>(20).fill(200),
      ...Array<number>(280).fill(429),
    ]);
    expect(await validateAll()).toEqual(ALL_ACTIVE);
    app.clock.advance({ seconds: 899 });
    expect((await guess(0)).status).toBe(429);
    expect(await validateAll()).toEqual(ALL_ACTIVE);
  });

  it('validates a machine that comes for the first time while another one guesses', async () => {
    const newcomer = await createLicense(app, await registerDeveloper(app));
    expect((await guess(301)).status).toBe(429);
    const { status, body } = await app.post('/validate', { key: newcomer.key }, { from: OFFICE });

    expect([status, body.status]).toEqual([200, 'pending']);
  });

  it('stops the guesses of an address after 20 even if they are concurrent', async () => {
    app.clock.advance({ seconds: 900 });
    const responses = await atOnce(200, (i) => guess(1000 + i));

    expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(180);
  });

  it('counts guesses towards the limit of the address', async () => {
    app.clock.advance({ seconds: 900 });
    const statuses = await guesses(0, ADDRESS_LIMIT);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    const last = await guess(ADDRESS_LIMIT);

    expect(last.status).toBe(429);
    expect(last.headers.get('x-ratelimit-limit')).toBe(String(ADDRESS_LIMIT));
    expect(last.headers.get('retry-after')).toBe('60');
  });
});

import type { TestApp } from '../../app.js';
import { ENGINES, newStore } from '../../engines.js';
import { type HttpResponse } from '../../http-caller.js';
import { atOnce, statusesOf } from '../at-once.js';
import {
  createClient,
  createLicense,
  NOBODYS,
  PASSWORD,
  registerDeveloper,
  unknownKey,
} from '../developer.js';
import { rateLimitOf } from '../rate-limit.js';
import { useApp } from '../use-app.js';

/** Only MongoDB has several instances. */
if (ENGINES.includes('MongoDB')) {
  describe('The limits of three instances on MongoDB', () => {
    const engine = 'MongoDB';
    const env = {
      ...newStore(engine),
      ...{ ACTIVATION_LIMIT: '', UNKNOWN_KEY_LIMIT: '4', LOGIN_LIMIT: '2', KEY_SET_LIMIT: '4' },
      ...{ REGISTER_LIMIT: '8', REFRESH_LIMIT: '4', WRITE_LIMIT: '8', EMAIL_CONFLICT_LIMIT: '4' },
    };
    const instances = [useApp(engine, env), useApp(engine, env), useApp(engine, env)] as const;
    const [one, another] = instances;
    let addresses = 0;
    /** Each test calls from an address of its own. */
    let from: string;
    beforeEach(() => {
      from = `203.0.113.${(addresses += 1)}`;
    });

    const activate = (app: TestApp) =>
      app.post('/validate/activate', { key: unknownKey() }, { from });
    /** Sends a request to each instance in turn. Returns the statuses. */
    const inTurn = async (
      times: number,
      send: (app: TestApp, index: number) => Promise<HttpResponse>,
    ) => {
      const statuses: number[] = [];
      for (let i = 0; i < times; i++) statuses.push((await send(instances[i % 3]!, i)).status);
      return statuses;
    };
    const passing = (status: number, times: number, requests: number) => [
      ...Array<number>(times).fill(status),
      ...Array<number>(requests - times).fill(429),
    ];

    it('S1: let 5 of 15 activations from an address pass, and tell each how many remain', async () => {
      const responses: HttpResponse[] = [];
      for (let i = 0; i < 15; i++) responses.push(await activate(instances[i % 3]!));

      expect(statusesOf(responses)).toEqual(passing(404, 5, 15));
      const remaining = responses.map((response) => rateLimitOf(response)[1]);
      expect(remaining).toEqual(['4', '3', '2', '1', '0', ...Array<string>(10).fill('0')]);
      for (const { headers, body } of responses.slice(5)) {
        expect(headers.get('retry-after')).toBe('900');
        const errors = 'too many requests, please try again later.';
        expect(body).toEqual({ success: false, errors, status: 429 });
      }
    });

    it('S1: let exactly 5 of 30 simultaneous activations from an address pass', async () => {
      const responses = await atOnce(30, (i) => activate(instances[i % 3]!));

      expect(statusesOf(responses).toSorted()).toEqual(passing(404, 5, 30));
    });

    it('S1: outlive a restart, and end on time', async () => {
      await inTurn(5, activate);
      await one.stop();
      await one.start();

      expect((await activate(one)).status).toBe(429);
      instances.forEach(({ clock }) => clock.advance({ seconds: 899 }));
      expect(await inTurn(3, activate)).toEqual([429, 429, 429]);
      instances.forEach(({ clock }) => clock.advance({ seconds: 1 }));
      expect(await inTurn(6, activate)).toEqual(passing(404, 5, 6));
    });

    it('count the distinct unknown keys of an address together', async () => {
      const { key } = await createLicense(one, await registerDeveloper(one));
      const validate = (app: TestApp, number: number) =>
        app.post('/validate', { key: unknownKey(number) }, { from });

      expect(await inTurn(9, (app, i) => validate(app, i % 3))).toEqual(passing(200, 9, 9));
      expect(await inTurn(6, (app, i) => validate(app, 3 + i))).toEqual(passing(200, 1, 6));
      expect(await inTurn(3, (app, i) => validate(app, i))).toEqual([429, 429, 429]);
      const known = await inTurn(3, (app) => app.post('/validate', { key }, { from }));
      expect(known).toEqual([200, 200, 200]);
    });

    it('S9: lock an address and an account at their limits of wrong passwords', async () => {
      const { email } = await registerDeveloper(one);
      const guess = (app: TestApp, of: string, address: string) =>
        app.post('/auth/login', { email: of, password: 'one more guess' }, { from: address });

      const ofAddress = await inTurn(6, (app, i) => guess(app, `${i}@studio.example`, from));
      expect(ofAddress).toEqual(passing(401, 2, 6));
      const ofAccount = await inTurn(12, (app, i) => guess(app, email, `192.0.2.${i}`));
      expect(ofAccount).toEqual(passing(401, 6, 12));
      const login = (app: TestApp, address?: string) =>
        app.post('/auth/login', { email, password: PASSWORD }, address ? { from: address } : {});
      // S21: its owner still logs in from the address that it registered from.
      expect(await inTurn(3, (app) => login(app, '192.0.2.99'))).toEqual([429, 429, 429]);
      expect(await inTurn(3, (app) => login(app))).toEqual([200, 200, 200]);
    });

    it.each([
      ['registrations', 8, 400, (app: TestApp) => app.post('/auth/register', {}, { from })],
      [
        'refreshes',
        4,
        401,
        (app: TestApp) => app.post('/auth/refresh', { refreshToken: 'nonsense' }, { from }),
      ],
      ['key sets', 4, 200, (app: TestApp) => app.get(`/keys/${NOBODYS}`, { from })],
    ])('count the %s of an address together', async (_name, limit, status, send) => {
      expect(await inTurn(limit + 6, send)).toEqual(passing(status, limit, limit + 6));
    });

    it('S21: count the writes of an account together', async () => {
      const eve = await registerDeveloper(one);
      const write = (app: TestApp) => app.patch(`/clients/${NOBODYS}`, {}, eve);

      expect(await inTurn(14, write)).toEqual(passing(404, 8, 14));
      expect((await one.get('/clients', eve)).status).toBe(200);
    });

    it('S21: count the e-mail addresses together that an account found to be taken', async () => {
      const { email } = await createClient(one, await registerDeveloper(one));
      const eve = await registerDeveloper(another);
      const probe = (app: TestApp) => app.post('/clients', { name: 'Acme', email }, eve);

      expect(await inTurn(7, probe)).toEqual(passing(409, 4, 7));
    });
  });
}

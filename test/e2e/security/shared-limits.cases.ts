import type { TestApp } from '../../app.js';
import { describeOnMongo, newStore } from '../../engines.js';
import type { HttpResponse } from '../../http-caller.js';
import { atOnce, statusesOf } from '../at-once.js';
import {
  createClient,
  type Developer,
  NOBODYS,
  PASSWORD,
  registerDeveloper,
  unknownKey,
} from '../developer.js';
import { useAppOn } from '../use-app.js';

/** Only MongoDB has several instances. */
describeOnMongo('The limits of three instances on MongoDB', () => {
  const env = {
    ...newStore('MongoDB'),
    ...{ ACTIVATION_LIMIT: '', UNKNOWN_KEY_LIMIT: '4', LOGIN_LIMIT: '2', KEY_SET_LIMIT: '4' },
    ...{ REGISTER_LIMIT: '12', REFRESH_LIMIT: '4', WRITE_LIMIT: '8', EMAIL_CONFLICT_LIMIT: '4' },
  };
  const instances = [1, 2, 3].map(() => useAppOn('MongoDB', env));
  const one = instances[0]!;
  let ada: Developer;
  let addresses = 0;
  /** Each test calls from an address of its own. */
  let from: string;
  beforeEach(async () => {
    from = `203.0.113.${(addresses += 1)}`;
    ada = await registerDeveloper(one);
  });

  type Send = (app: TestApp, index: number) => Promise<HttpResponse>;

  const activate: Send = (app) => app.post('/validate/activate', { key: unknownKey() }, { from });
  const guess = (app: TestApp, email: string, address = from) =>
    app.post('/auth/login', { email, password: 'one more guess' }, { from: address });
  /** Sends a request to each instance in turn, and expects that this many pass with a status. */
  const expectToPass = async (count: number, status: number, requests: number, send: Send) => {
    const statuses: number[] = [];
    for (let i = 0; i < requests; i++) statuses.push((await send(instances[i % 3]!, i)).status);
    expect(statuses).toEqual([
      ...Array<number>(count).fill(status),
      ...Array<number>(requests - count).fill(429),
    ]);
  };

  it.each<[string, number, number, Send]>([
    ['S1: activations', 5, 404, activate],
    ['unknown keys', 4, 200, (app, i) => app.post('/validate', { key: unknownKey(i) }, { from })],
    ['S9: failures of an address', 2, 401, (app, i) => guess(app, `${i}@studio.example`)],
    ['S9: failures of an account', 6, 401, (app, i) => guess(app, ada.email, `192.0.2.${i}`)],
    ['registrations', 12, 400, (app) => app.post('/auth/register', {}, { from })],
    ['refreshes', 4, 401, (app) => app.post('/auth/refresh', { refreshToken: 'x' }, { from })],
    ['key sets', 4, 200, (app) => app.get(`/keys/${NOBODYS}`, { from })],
    ['S21: writes', 8, 404, (app) => app.patch(`/clients/${NOBODYS}`, {}, ada)],
  ])('count %s together: %i pass', async (_name, count, status, send) => {
    await expectToPass(count, status, 14, send);
  });

  it('S1: let exactly 5 of 30 simultaneous activations pass, outlive a restart, and end on time', async () => {
    const statuses = statusesOf(await atOnce(30, (i) => activate(instances[i % 3]!, i)));
    expect(statuses.filter((status) => status === 404)).toHaveLength(5);
    await one.stop();
    await one.start();

    instances.forEach(({ clock }) => clock.set(one.clock.now().toISOString()));
    instances.forEach(({ clock }) => clock.advance({ seconds: 899 }));
    await expectToPass(0, 404, 3, activate);
    instances.forEach(({ clock }) => clock.advance({ seconds: 1 }));
    await expectToPass(5, 404, 6, activate);
  });

  it('S21: the owner of a locked account logs in from its address, and probing for clients is counted together', async () => {
    for (let i = 0; i < 7; i++) await guess(instances[i % 3]!, ada.email, `192.0.2.${i}`);
    const credentials = { email: ada.email, password: PASSWORD };
    await expectToPass(0, 200, 3, (app) => app.post('/auth/login', credentials, { from }));
    await expectToPass(3, 200, 3, (app) => app.post('/auth/login', credentials));

    const { email } = await createClient(one, await registerDeveloper(one));
    await expectToPass(4, 409, 7, (app) => app.post('/clients', { name: 'Acme', email }, ada));
  });
});

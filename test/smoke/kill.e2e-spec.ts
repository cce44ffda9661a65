import { setTimeout } from 'node:timers/promises';
import { DeletionStore } from '../deletion-store.js';
import { type CreatedLicense, type LoggedInDeveloper, PASSWORD } from '../e2e/developer.js';
import { contentOf } from '../e2e/stored-content.js';
import { Operator } from './operator.js';
import type { RunningService } from './running-service.js';

const FINGERPRINT = 'fingerprint-of-the-customers-machine';
/** More than a step of the deletion removes, in batches of 100. */
const BATCHES = 20;
const ACCOUNT = { name: 'Ada', email: 'ada@example.com', password: PASSWORD };

describe('A service that is killed right after a response, and started again', () => {
  const operator = new Operator();
  const store = new DeletionStore({ DATA_DIR: operator.path('data') });
  const services: RunningService[] = [];
  let service: RunningService;
  let ada: LoggedInDeveloper;
  let license: CreatedLicense;
  let deleted: CreatedLicense;
  let stored: string;

  beforeAll(async () => {
    const killed = await operator.start();
    ada = await killed.register(ACCOUNT);
    [license, deleted] = [await killed.createLicense(ada), await killed.createLicense(ada)];
    const batch = { duration: 6, services: ['Hosting'], count: 100 };
    for (let i = 0; i < BATCHES; i++) {
      await killed.post(`/projects/${deleted.project}/licenses/batch`, batch, ada);
    }
    const machine = { key: license.key, fingerprint: FINGERPRINT };
    const activation = await killed.post('/validate/activate', machine);
    const deletion = await killed.delete(`/projects/${deleted.project}`, ada);
    await killed.end('SIGKILL');
    expect([activation.body.success, deletion.status]).toEqual([true, 204]);
    expect(await store.isRemoving()).toBe(true);
    expect(await store.count(deleted.project)).toBeGreaterThan(0);
    stored = contentOf(operator.path('data'));

    service = await operator.start();
    services.push(killed, service);
  });
  afterAll(() => operator.leave());

  it('has the account with its session, and the license with its key, client and project', async () => {
    const { refreshToken } = ada;
    const responses = await Promise.all([
      service.get('/auth/me', ada),
      service.get(`/licenses/${license._id}`, ada),
      service.get(`/clients/${license.client}`, ada),
      service.get(`/projects/${license.project}`, ada),
      service.post('/auth/login', ACCOUNT),
    ]);

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(responses[0].body.email).toBe(ACCOUNT.email);
    expect(responses[1].body).toMatchObject({ key: license.key, status: 'ACTIVE' });
    expect((await service.post('/auth/refresh', { refreshToken })).status).toBe(200);
  });

  it('validates the license on its machine, and on no other', async () => {
    expect(await service.validationOf(license, FINGERPRINT)).toBe('active');
    expect(await service.validationOf(license, 'of-another-machine')).toBe('machine_mismatch');
  });

  it('has deleted a project at once, and removes its licenses, amid which it was killed', async () => {
    const { data } = (await service.get('/licenses', ada)).body;
    expect(data).toMatchObject([{ _id: license._id }]);
    expect(await service.validationOf(deleted)).toBe('invalid');
    while (await store.isRemoving()) await setTimeout(50);
    expect(await store.count(deleted.project)).toBe(0);
  });

  it('neither prints a secret, even after failed requests, nor stores one in clear', async () => {
    const wrong = { ...ACCOUNT, password: `wrong ${PASSWORD}` };
    await service.post('/auth/login', wrong);
    await service.send('POST', '/validate', `{"key": "${license.key}"`);
    const printed = services.map(({ stdout, stderr }) => stdout + stderr).join('');

    expect(printed).toContain('/projects/createProject');
    expect(stored).toContain(ACCOUNT.email);
    const { token, refreshToken } = ada;
    for (const secret of [license.key, PASSWORD, token, refreshToken, FINGERPRINT]) {
      expect([printed.includes(secret), stored.includes(secret)]).toEqual([false, false]);
    }
  });
});

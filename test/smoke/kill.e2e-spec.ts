import fs from 'node:fs';
import { createLicense, type CreatedLicense, PASSWORD, validationOf } from '../e2e/developer.js';
import { Operator } from './operator.js';
import type { RunningService } from './running-service.js';

const FINGERPRINT = 'fingerprint-of-the-customers-machine';
const ACCOUNT = { name: 'Ada', email: 'ada@example.com', password: PASSWORD };

describe('A service that is killed right after a response, and started again', () => {
  const operator = new Operator();
  const services: RunningService[] = [];
  let service: RunningService;
  let tokens: { accessToken: string; refreshToken: string };
  let license: CreatedLicense;
  let stored: string;

  beforeAll(async () => {
    const killed = await operator.start();
    const { body } = await killed.post('/auth/register', ACCOUNT);
    tokens = body;
    license = await createLicense(killed, {
      _id: body.user._id,
      email: ACCOUNT.email,
      token: tokens.accessToken,
    });
    const machine = { key: license.key, fingerprint: FINGERPRINT };
    const activation = await killed.post('/validate/activate', machine);
    await killed.end('SIGKILL');
    expect(activation.body.success).toBe(true);
    stored = contentOf(operator.path('data'));

    service = await operator.start();
    services.push(killed, service);
  });
  afterAll(() => operator.leave());

  it('has the account with its session, and the license with its key, client and project', async () => {
    const { accessToken, refreshToken } = tokens;
    const call = { token: accessToken };
    const responses = await Promise.all([
      service.get('/auth/me', call),
      service.get(`/licenses/${license._id}`, call),
      service.get(`/clients/${license.client}`, call),
      service.get(`/projects/${license.project}`, call),
      service.post('/auth/login', ACCOUNT),
    ]);

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(responses[0].body.email).toBe(ACCOUNT.email);
    expect(responses[1].body).toMatchObject({ key: license.key, status: 'ACTIVE' });
    expect((await service.post('/auth/refresh', { refreshToken })).status).toBe(200);
  });

  it('validates the license on its machine, and on no other', async () => {
    expect(await validationOf(service, license, FINGERPRINT)).toBe('active');
    expect(await validationOf(service, license, 'of-another-machine')).toBe('machine_mismatch');
  });

  it('neither prints a secret, even after failed requests, nor stores one in clear', async () => {
    const wrong = { ...ACCOUNT, password: `wrong ${PASSWORD}` };
    await service.post('/auth/login', wrong);
    await service.send('POST', '/validate', `{"key": "${license.key}"`);
    const printed = services.map(({ stdout, stderr }) => stdout + stderr).join('');

    expect(printed).toContain('/projects/createProject');
    expect(stored).toContain(ACCOUNT.email);
    const { accessToken, refreshToken } = tokens;
    for (const secret of [license.key, PASSWORD, accessToken, refreshToken, FINGERPRINT]) {
      expect([printed.includes(secret), stored.includes(secret)]).toEqual([false, false]);
    }
  });
});

/** The bytes of all files of a folder. */
function contentOf(folder: string): string {
  return fs
    .readdirSync(folder)
    .map((name) => fs.readFileSync(`${folder}/${name}`, 'latin1'))
    .join('\n');
}

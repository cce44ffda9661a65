import fs from 'node:fs';
import { createLicense, type CreatedLicense, PASSWORD } from '../e2e/developer.js';
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

  it('has the account and its session', async () => {
    const { accessToken, refreshToken } = tokens;
    const login = await service.post('/auth/login', ACCOUNT);
    const me = await service.get('/auth/me', { token: accessToken });
    const refreshed = await service.post('/auth/refresh', { refreshToken });

    expect([login.status, me.status, refreshed.status]).toEqual([200, 200, 200]);
    expect(me.body.email).toBe(ACCOUNT.email);
  });

  it('has the license with its key, its client and its project', async () => {
    const call = { token: tokens.accessToken };
    const [read, client, project] = await Promise.all([
      service.get(`/licenses/${license._id}`, call),
      service.get(`/clients/${license.client}`, call),
      service.get(`/projects/${license.project}`, call),
    ]);

    expect(read.body).toMatchObject({ key: license.key, status: 'ACTIVE' });
    expect([client.status, project.status]).toEqual([200, 200]);
  });

  it('validates the license on its machine, and on no other', async () => {
    const validate = async (fingerprint: string) =>
      (await service.post('/validate', { key: license.key, fingerprint })).body.status as unknown;

    expect(await validate(FINGERPRINT)).toBe('active');
    expect(await validate('fingerprint-of-another-machine')).toBe('machine_mismatch');
  });

  it('prints no secret, even after failed requests', async () => {
    const wrong = { ...ACCOUNT, password: `wrong ${PASSWORD}` };
    await service.post('/auth/login', wrong);
    await service.send('POST', '/validate', `{"key": "${license.key}"`);
    const printed = services.map(({ stdout, stderr }) => stdout + stderr).join('');

    expect(printed).toContain('/projects/createProject');
    expect(secrets().filter(({ secret }) => printed.includes(secret))).toEqual([]);
  });

  it('stores no secret in clear', () => {
    expect(stored).toContain(ACCOUNT.email);
    expect(secrets().filter(({ secret }) => stored.includes(secret))).toEqual([]);
  });

  const secrets = () => [
    { name: 'license key', secret: license.key },
    { name: 'password', secret: PASSWORD },
    { name: 'access token', secret: tokens.accessToken },
    { name: 'refresh token', secret: tokens.refreshToken },
    { name: 'fingerprint', secret: FINGERPRINT },
  ];
});

/** The bytes of all files of a folder. */
function contentOf(folder: string): string {
  return fs
    .readdirSync(folder)
    .map((name) => fs.readFileSync(`${folder}/${name}`, 'latin1'))
    .join('\n');
}

import pLimit from 'p-limit';
import { ENGINES } from '../engines.js';
import type { HttpResponse } from '../http-caller.js';
import { Random } from '../random.js';
import { IS_FULL, timesInScope } from '../scope.js';
import { atOnce, countsOf, expectError } from './responses.js';
import { secondsOf, verifyCertificate } from './certificates/certificates.js';
import { LAPTOP, PASSWORD } from './developer.js';
import { useAppOn } from './use-app.js';

const ROUNDS = timesInScope(10);
/** S16 promises 1,000: REVOCATIONS=1000 TEST_SCOPE=full npm test -- --selectProjects e2e -- races */
const REVOCATIONS = Number(process.env.REVOCATIONS ?? (IS_FULL ? 100 : 40));
const TERMS = { duration: 6, services: ['Hosting'] };
const QUOTAS = { clients: 7, projects: 6, licenses: 9 };
const CERTIFICATE_DAYS = 30;

// Each request that is overtaken by another one is in test/overtaken.spec.ts, and the store's races in test/contract/races.
describe.each(ENGINES)('Requests at the same time, on %s', (engine) => {
  const app = useAppOn(engine, { CERTIFICATE_DAYS: String(CERTIFICATE_DAYS) });

  it(`R3: bind a license to one of 20 machines, whether they activate or have a certificate issued, in ${ROUNDS} rounds`, async () => {
    const ada = await app.register();
    for (let round = 0; round < ROUNDS; round++) {
      const license = await app.createLicense(ada);
      const machines = Array.from({ length: 20 }, (_, i) => `machine-number-${i + 10}`);
      const responses = await atOnce(20, (i) => {
        const fingerprint = machines[i]!;
        if (i % 3 === 0) return app.issueCertificate(ada, license, { fingerprint });
        if (i % 3 === 1) return app.activate(license, fingerprint);
        return app.requestCertificate('/validate/activate', license, { fingerprint });
      });
      const winner = responses.findIndex(({ status }) => status < 300);
      const types = (await app.eventsOf(ada, license)).map(({ type }) => type);

      expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(await app.validationOf(license, machines[winner])).toBe('active');
      expect(types.filter((type) => type === 'license.activated')).toHaveLength(1);
    }
  });

  it('S16: give no certificate and no "active" after an acknowledged revocation, and none outlives its license or its days', async () => {
    const random = new Random(1);
    const ada = await app.register();
    const keys = await app.signingKeysOf(ada);
    const { project } = await app.createLicense(ada);
    let issued = 0;

    const race = async () => {
      const license = await app.addLicense(ada, project, { duration: random.between(1, 12) });
      const { expiresAt } = (await app.activate(license, LAPTOP)).body;
      let isRevoked = false;
      /** Requests until one was sent after the acknowledgement, and returns the response to that. */
      const requestUntilRevoked = async (i: number) => {
        for (;;) {
          const isLate = isRevoked;
          const days = i % 2 ? random.between(1, 366) : CERTIFICATE_DAYS;
          const { body } = await (i % 2
            ? app.issueCertificate(ada, license, { days })
            : app.requestCertificate('/validate', license));
          if (isLate) return [body.status ?? body.code, body.certificate] as unknown[];
          if (!body.certificate) continue;
          const { claims } = verifyCertificate(body.certificate as string, keys);
          const end = Math.min(claims.iat + days * 24 * 60 * 60, secondsOf(expiresAt as string));
          expect(claims.exp).toBe(end);
          issued += 1;
        }
      };
      const callers = atOnce(2, requestUntilRevoked);
      for (let tick = random.between(0, 5); tick > 0; tick--) await new Promise(setImmediate);
      const { status } = await app.post(`/licenses/${license._id}/revoke`, {}, ada);
      expect(status).toBe(200);
      isRevoked = true;
      expect(await callers).toEqual([
        ['revoked', undefined],
        ['LICENSE_ALREADY_REVOKED', undefined],
      ]);
    };
    await pLimit(4).map(Array(REVOCATIONS).fill(0), race);
    expect(issued).toBeGreaterThan(REVOCATIONS);
  });

  it(`S6: give at most one pair for 50 uses of a refresh token, and end the session, in ${ROUNDS} rounds`, async () => {
    const refresh = (refreshToken: string) => app.post('/auth/refresh', { refreshToken });
    for (let round = 0; round < ROUNDS; round++) {
      const { refreshToken } = await app.register();
      const responses = await atOnce(50, () => refresh(refreshToken));
      const pairs = responses.filter(({ status }) => status === 200);

      expect(pairs.length).toBeLessThanOrEqual(1);
      expect(countsOf(responses).INVALID_REFRESH_TOKEN).toBe(50 - pairs.length);
      for (const { body } of pairs) expect((await refresh(body.refreshToken)).status).toBe(401);
    }
  });
});

describe.each(ENGINES)('Creations at the same time, on %s', (engine) => {
  const app = useAppOn(engine, {
    REGISTRATION: 'first',
    ...{ CLIENT_QUOTA: String(QUOTAS.clients), PROJECT_QUOTA: String(QUOTAS.projects) },
    LICENSE_QUOTA: String(QUOTAS.licenses),
  });

  it('S21: register one first account of 20, and create no more than its quotas by 32 requests each', async () => {
    const registrations = await atOnce(20, (i) => {
      const account = { name: 'Ada', email: `${i % 10}@studio.example`, password: PASSWORD };
      return app.post('/auth/register', account);
    });
    expect(countsOf(registrations)).toEqual({ 201: 1, REGISTRATION_CLOSED: 19 });
    const { user, accessToken } = registrations.find(({ status }) => status === 201)!.body;
    const ada = { ...user, token: accessToken as string };
    const create = async (
      quota: number,
      code: string,
      send: (i: number) => Promise<HttpResponse>,
    ) => {
      const responses = await atOnce(32, send);
      expect(countsOf(responses)).toEqual({ 201: quota, [code]: 32 - quota });
      return responses.find(({ status }) => status === 201)!.body;
    };
    const { client } = await create(QUOTAS.clients, 'CLIENT_QUOTA_REACHED', (i) =>
      app.post('/clients', { name: 'Acme', email: `${i}@acme.example` }, ada),
    );
    const taken = await app.post('/clients', { name: 'Acme', email: client.email }, ada);
    expectError(taken, [409, 'CLIENT_EMAIL_TAKEN']);
    const project = { clientId: client._id, projectName: 'Shop', ...TERMS };
    const { license } = await create(QUOTAS.projects, 'PROJECT_QUOTA_REACHED', () =>
      app.post('/projects/createProject', project, ada),
    );
    const left = QUOTAS.licenses - QUOTAS.projects;
    await create(left, 'LICENSE_QUOTA_REACHED', () =>
      app.post(`/projects/${license.project}/licenses`, TERMS, ada),
    );
    const reissue = await app.post(`/licenses/${license._id}/reissue`, {}, ada);
    expectError(reissue, [403, 'LICENSE_QUOTA_REACHED']);

    expect((await app.get('/dashboard', ada)).body).toMatchObject({
      clientsCount: QUOTAS.clients,
      ...{ projectsCount: QUOTAS.projects, licensesCount: QUOTAS.licenses },
    });
  });
});

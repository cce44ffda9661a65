import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { AccountsService } from '../../src/auth/accounts/accounts.service.js';
import { EVERY_ENGINE } from '../engines.js';
import { Random } from '../random.js';
import { IS_FULL, timesInScope } from '../scope.js';
import { atOnce, countsOf } from './at-once.js';
import { accountOn, NEW_PASSWORD, OLD_PASSWORD } from './auth/account.js';
import {
  eventsOf,
  issueCertificate,
  requestCertificate,
} from './certificates/issue-certificate.js';
import { secondsOf, signingKeysOf, verifyCertificate } from './certificates/verify-certificate.js';
import {
  activate,
  addLicense,
  createClient,
  createLicense,
  createProject,
  type CreatedLicense,
  LAPTOP,
  type LoggedInDeveloper,
  registerDeveloper,
  validationOf,
} from './developer.js';
import { useAppOn } from './use-app.js';

const ROUNDS = timesInScope(10);
const REVOCATIONS = IS_FULL ? 1_000 : 40;
const TERMS = { duration: 6, services: ['Hosting'] };
const CERTIFICATE_DAYS = 30;

describe.each(EVERY_ENGINE)('Requests at the same time, on %s', (engine) => {
  const app = useAppOn(engine, { CERTIFICATE_DAYS: String(CERTIFICATE_DAYS) });
  let ada: LoggedInDeveloper;

  /** Does the same in each round, for a developer that has nothing yet. */
  const inRounds = (name: string, round: () => Promise<void>, rounds = ROUNDS) =>
    it(`${name}, in ${rounds} rounds`, async () => {
      for (let i = 0; i < rounds; i++) {
        ada = await registerDeveloper(app);
        await round();
      }
    });
  const post = (path: string, body: object = {}, headers: Record<string, string> = {}) =>
    app.post(path, body, { token: ada.token, headers });
  const read = async (path: string) => (await app.get(path, ada)).body;

  inRounds(
    'bind a license to one of 20 machines, whether they activate or have a certificate issued',
    async () => {
      const license = await createLicense(app, ada);
      const machines = Array.from({ length: 20 }, (_, i) => `machine-number-${i + 10}`);
      const responses = await atOnce(20, (i) => {
        const fingerprint = machines[i]!;
        if (i % 3 === 0) return issueCertificate(app, ada, license, { fingerprint });
        if (i % 3 === 1) return activate(app, license, fingerprint);
        return requestCertificate(app, '/validate/activate', license, { fingerprint });
      });
      const winner = responses.findIndex(({ status }) => status < 300);
      const types = (await eventsOf(app, ada, license)).map(({ type }) => type);

      expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(await validationOf(app, license, machines[winner])).toBe('active');
      expect(types.filter((type) => type === 'activated')).toHaveLength(1);
    },
  );

  inRounds('activate a license once for 20 of one machine, of which each succeeds', async () => {
    const license = await createLicense(app, ada);
    const responses = await atOnce(20, () => activate(app, license, LAPTOP));

    expect(countsOf(responses)).toEqual({ 200: 20 });
    expect(responses.filter(({ body }) => body.machineId)).toHaveLength(1);
  });

  it(`S16: give no certificate and no "active" after an acknowledged revocation, and none outlives its license or its days: ${REVOCATIONS} revocations`, async () => {
    const random = new Random(7);
    ada = await registerDeveloper(app);
    const keys = await signingKeysOf(app, ada);
    const { project } = await createLicense(app, ada);
    let issued = 0;

    const race = async () => {
      const license = await addLicense(app, ada, project, { duration: random.between(1, 12) });
      const { expiresAt } = (await activate(app, license, LAPTOP)).body;
      let isRevoked = false;
      /** Requests until one was sent after the acknowledgement, and returns the response to that. */
      const requestUntilRevoked = async (i: number) => {
        for (;;) {
          const isLate = isRevoked;
          const days = i % 2 ? random.between(1, 366) : CERTIFICATE_DAYS;
          const { body } = await (i % 2
            ? issueCertificate(app, ada, license, { days })
            : requestCertificate(app, '/validate', license));
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
      expect((await post(`/licenses/${license._id}/revoke`)).status).toBe(200);
      isRevoked = true;
      expect(await callers).toEqual([
        ['revoked', undefined],
        ['LICENSE_ALREADY_REVOKED', undefined],
      ]);
    };
    await pLimit(4).map(Array(REVOCATIONS).fill(0), race);
    expect(issued).toBeGreaterThan(REVOCATIONS);
  });

  inRounds('renew for each of 20, reissue and delete once', async () => {
    const license = await createLicense(app, ada, { duration: 4 });
    await activate(app, license);
    const renewals = await atOnce(20, () =>
      post(`/licenses/${license._id}/renew`, { duration: 1 }),
    );
    expect(countsOf(renewals)).toEqual({ 200: 20 });
    expect((await read(`/licenses/${license._id}`)).expiresAt).toBe('2028-01-31T10:15:00.000Z');
    const reissues = await atOnce(10, () => post(`/licenses/${license._id}/reissue`));
    expect(countsOf(reissues)).toEqual({ 201: 1, 409: 9 });
    const deletions = await atOnce(10, () => app.delete(`/projects/${license.project}`, ada));
    expect(countsOf(deletions)).toEqual({ 204: 1, 404: 9 });
  });

  inRounds('create one client of an address, and give it to one of 10 clients', async () => {
    const client = { name: 'Race', email: `${randomUUID()}@acme.example` };
    expect(countsOf(await atOnce(20, () => post('/clients', client)))).toEqual({ 201: 1, 409: 19 });
    const clients = await atOnce(10, () => createClient(app, ada));
    const email = `${randomUUID()}@acme.example`;
    const changes = atOnce(10, (i) => app.patch(`/clients/${clients[i]!._id}`, { email }, ada));
    expect(countsOf(await changes)).toEqual({ 200: 1, 409: 9 });
  });

  inRounds('set one of 20 products, which every license has', async () => {
    const { _id, project } = await createLicense(app, ada);
    const responses = await atOnce(20, (i) =>
      app.patch(`/projects/${project}`, { product: `product-${i}` }, ada),
    );
    const { product } = responses.find(({ status }) => status === 200)!.body.project;

    expect(countsOf(responses)).toEqual({ 200: 1, 409: 19 });
    expect(await read(`/projects/${project}`)).toMatchObject({ product });
    expect(await read(`/licenses/${_id}`)).toMatchObject({ product });
  });

  inRounds(
    'delete a client or create its project, never both; a project with all that was added to it, or none',
    async () => {
      const { _id: clientId } = await createClient(app, ada);
      const body = { clientId, projectName: 'Shop', ...TERMS };
      const [deletion, ...creations] = await Promise.all([
        app.delete(`/clients/${clientId}`, ada),
        ...[1, 2, 3].map(() => post('/projects/createProject', body)),
      ]);
      const created = creations.filter(({ status }) => status === 201);
      expect(created.length === 0).toBe(deletion.status === 204);
      const { project, license } = await createProject(
        app,
        ada,
        (await createClient(app, ada))._id,
      );
      const [gone, activation, added] = await Promise.all([
        app.delete(`/projects/${project._id}`, ada),
        activate(app, license, LAPTOP),
        post(`/projects/${project._id}/licenses`, TERMS),
      ]);
      const isGone = gone.status === 204;

      // What was added before the deletion is gone with the project.
      expect([204, 409]).toContain(gone.status);
      expect(activation.status).toBe(isGone ? 404 : 200);
      expect(await validationOf(app, license, LAPTOP)).toBe(isGone ? 'invalid' : 'active');
      const keys = [
        license,
        ...(added.status === 201 ? [added.body.license as CreatedLicense] : []),
      ];
      for (const { _id } of keys) {
        expect((await app.get(`/licenses/${_id}`, ada)).status).toBe(isGone ? 404 : 200);
      }
      const { projectsCount, licensesCount } = await read('/dashboard');
      const ofProject = isGone ? [0, 0] : [1, keys.length];
      expect([projectsCount, licensesCount]).toEqual(
        ofProject.map((count) => count + created.length),
      );
    },
  );

  inRounds(
    'S6: give at most one pair for 50 uses of a refresh token, and end the session',
    async () => {
      const refresh = (refreshToken: string) => app.post('/auth/refresh', { refreshToken });
      const responses = await atOnce(50, () => refresh(ada.refreshToken));
      const pairs = responses.filter(({ status }) => status === 200);

      expect(pairs.length).toBeLessThanOrEqual(1);
      expect(countsOf(responses)[401]).toBe(50 - pairs.length);
      for (const { body } of pairs) expect((await refresh(body.refreshToken)).status).toBe(401);
    },
  );

  inRounds(
    'do a write once for an idempotency key, and each of 20 gets the same response',
    async () => {
      const { project } = await createLicense(app, ada);
      const { current } = await signingKeysOf(app, ada);
      for (const [path, body] of [
        ['/clients', { name: 'Acme', email: `${randomUUID()}@acme.example` }],
        [`/projects/${project}/licenses`, TERMS],
        ['/signing-keys/rotate', { current: current.kid }],
      ] as const) {
        const responses = await atOnce(20, () =>
          post(path, body, { 'Idempotency-Key': `twins of ${path.length}` }),
        );
        expect(responses[0]!.status).toBeLessThan(300);
        expect(responses.map((one) => one.body)).toEqual(Array(20).fill(responses[0]!.body));
      }
      expect(await read('/dashboard')).toMatchObject({ clientsCount: 2, licensesCount: 2 });
      expect((await app.get(`/keys/${ada._id}`)).body.keys).toHaveLength(3);
    },
  );

  inRounds('create the signing keys of an account once, and rotate them once', async () => {
    const responses = await atOnce(20, () => app.get('/signing-keys', ada));
    const { current, next } = responses[0]!.body;
    expect(responses.map(({ body }) => body)).toEqual(Array(20).fill(responses[0]!.body));
    const rotations = await atOnce(20, () =>
      post('/signing-keys/rotate', { current: current.kid }),
    );
    expect(countsOf(rotations)).toEqual({ 200: 1, 409: 19 });
    expect((await signingKeysOf(app, ada)).current).toEqual(next);
  });

  inRounds(
    'make one of 10 changes of a password, and leave no session that was started by the old one',
    async () => {
      const account = await accountOn(app);
      const passwords = Array.from({ length: 10 }, () => `lanterns ${randomUUID()}`);
      const logins = atOnce(3, () => account.logIn(OLD_PASSWORD));
      const changes = await atOnce(10, (i) => account.change({ newPassword: passwords[i] }));
      expect(countsOf(changes)).toEqual({ 204: 1, 403: 9 });
      const changed = passwords[changes.findIndex(({ status }) => status === 204)]!;
      expect((await account.logIn(changed)).status).toBe(200);

      const accounts = app.nest.get(AccountsService, { strict: false });
      const late = atOnce(3, () => account.logIn(changed));
      await accounts.resetPassword(account.email, NEW_PASSWORD);
      for (const { status, body } of [...(await logins), ...(await late)]) {
        expect([200, 401]).toContain(status);
        if (status === 200) expect((await app.post('/auth/refresh', body)).status).toBe(401);
      }
    },
  );
});

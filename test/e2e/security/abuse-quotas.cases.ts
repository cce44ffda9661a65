import { ENGINES } from '../../engines.js';
import type { HttpResponse } from '../../http-caller.js';
import { atOnce } from '../at-once.js';
import {
  addLicense,
  createClient,
  createProject,
  type CreatedLicense,
  type Developer,
  logIn,
  registerDeveloper,
  validationOf,
} from '../developer.js';
import { useApp } from '../use-app.js';

const AT_ONCE = 30;
const QUOTAS = { clients: 7, projects: 6, licenses: 9, idempotencyRecords: 5 };
const TERMS = { duration: 6, services: ['Hosting'] };

// The races on both engines are in test/contract/store/quotas.cases.ts; this is about the responses.
describe.each(ENGINES)(`S21: ${AT_ONCE} creations of one account at once, on %s`, (engine) => {
  const app = useApp(engine, {
    CLIENT_QUOTA: String(QUOTAS.clients),
    PROJECT_QUOTA: String(QUOTAS.projects),
    LICENSE_QUOTA: String(QUOTAS.licenses),
    IDEMPOTENCY_QUOTA: String(QUOTAS.idempotencyRecords),
  });
  let ada: Developer;

  beforeEach(async () => {
    ada = await registerDeveloper(app);
  });

  /** How many requests have had each outcome. */
  const outcomesOf = (responses: HttpResponse[]) => {
    const outcomes: Record<string, number> = {};
    for (const { status, body } of responses) {
      const outcome = body.code ?? status;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    return outcomes;
  };
  const newClient = (index: number) => ({ name: 'Acme', email: `${index}.${ada._id}@acme.test` });
  const countsOf = async () => {
    const { body } = await app.get('/dashboard', ada);
    const { clientsCount, projectsCount, licensesCount } = body as Record<string, number>;
    return { clientsCount, projectsCount, licensesCount };
  };

  it('make no more clients than its quota', async () => {
    const responses = await atOnce(AT_ONCE, (index) => app.post('/clients', newClient(index), ada));

    expect(outcomesOf(responses)).toEqual({
      201: QUOTAS.clients,
      CLIENT_QUOTA_REACHED: AT_ONCE - QUOTAS.clients,
    });
    expect(await countsOf()).toMatchObject({ clientsCount: QUOTAS.clients });
    const rejected = responses.find(({ status }) => status === 403)!;
    expect(rejected.body).toEqual({
      message: 'Client quota reached',
      code: 'CLIENT_QUOTA_REACHED',
      details: expect.any(String),
      requestId: rejected.headers.get('x-request-id'),
    });
  });

  it('make no more projects than its quota, and no license without a project', async () => {
    const { _id: clientId } = await createClient(app, ada);
    const body = { clientId, projectName: 'Shop', ...TERMS };
    const responses = await atOnce(AT_ONCE, () => app.post('/projects/createProject', body, ada));

    expect(outcomesOf(responses)).toEqual({
      201: QUOTAS.projects,
      PROJECT_QUOTA_REACHED: AT_ONCE - QUOTAS.projects,
    });
    expect(await countsOf()).toEqual({
      clientsCount: 1,
      projectsCount: QUOTAS.projects,
      licensesCount: QUOTAS.projects,
    });
  });

  it('make no more licenses than its quota, in whatever way', async () => {
    const client = await createClient(app, ada);
    const { project } = await createProject(app, ada, client._id);
    const licenses: CreatedLicense[] = [];
    for (let i = 0; i < 4; i++) licenses.push(await addLicense(app, ada, project._id));
    const ways = [
      () => app.post(`/projects/${project._id}/licenses`, TERMS, ada),
      (index: number) => app.post(`/licenses/${licenses[index % 4]!._id}/reissue`, {}, ada),
      () =>
        app.post(
          '/projects/createProject',
          { clientId: client._id, projectName: 'Shop', ...TERMS },
          ada,
        ),
    ];
    const responses = await atOnce(AT_ONCE, (index) =>
      ways[index % ways.length]!(Math.floor(index / 3)),
    );
    const reissued = responses.filter(({ body }) => body.revoked);

    expect(outcomesOf(responses)[201]).toBe(QUOTAS.licenses - 5);
    expect(outcomesOf(responses)).toMatchObject({ LICENSE_QUOTA_REACHED: expect.any(Number) });
    expect(await countsOf()).toMatchObject({ licensesCount: QUOTAS.licenses });
    const statuses = await Promise.all(licenses.map((license) => validationOf(app, license)));
    expect(statuses.filter((status) => status === 'revoked')).toHaveLength(reissued.length);
  });

  it('keep no more idempotency records than its quota, and repeats the response of each', async () => {
    const post = (index: number, user = ada) =>
      app.post('/clients', newClient(index), {
        token: user.token,
        headers: { 'Idempotency-Key': `key ${index}` },
      });
    const responses = await atOnce(AT_ONCE, (index) => post(index));
    const repeated = await atOnce(AT_ONCE, (index) => post(index));

    expect(outcomesOf(responses)).toEqual({
      201: QUOTAS.idempotencyRecords,
      IDEMPOTENCY_QUOTA_REACHED: AT_ONCE - QUOTAS.idempotencyRecords,
    });
    expect(await countsOf()).toMatchObject({ clientsCount: QUOTAS.idempotencyRecords });
    responses.forEach(({ status, body }, index) => {
      expect(repeated[index]!.status).toBe(status);
      if (status === 201) expect(repeated[index]!.body).toEqual(body);
    });
    expect((await app.post('/clients', newClient(99), ada)).status).toBe(201);

    app.clock.advance({ seconds: 24 * 3600 });
    const again = await logIn(app, ada);
    const rejected = responses.findIndex(({ status }) => status === 403);
    expect((await post(rejected, again)).status).toBe(201);
  });
});

import pLimit from 'p-limit';
import { ENGINES } from '../../engines.js';
import { casesInScope } from '../../scope.js';
import {
  activate,
  addLicense,
  createClient,
  createProject,
  type CreatedLicense,
  type Developer,
  logIn,
  NOBODYS,
  registerDeveloper,
} from '../developer.js';
import { idsOf, readPages } from '../pages.js';
import { useApp } from '../use-app.js';

/** An account has 32 requests in progress at most. */
const AT_ONCE = 16;

/** When the license `expired` expires. */
const END = '2026-02-28T10:15:00.000Z';

const STATUSES = [undefined, 'PENDING', 'ACTIVE', 'EXPIRED', 'REVOKED'];
const TIMES = [undefined, END, '2026-02-28T11:15:00.001+01:00', '2030-01-01T00:00:00Z'];
const SORTS = ['createdAt', 'expiresAt'] as const;
const ORDERS = ['asc', 'desc'] as const;

interface Shown extends CreatedLicense {
  readonly status: string;
  readonly activatedAt: string | null;
  readonly createdAt: string;
}

describe.each(ENGINES)('GET /licenses on %s', (engine) => {
  const app = useApp(engine);
  let ada: Developer;
  let bob: Developer;
  let licenses: Record<string, CreatedLicense>;
  let all: Shown[];

  beforeAll(async () => {
    [ada, bob] = await Promise.all([registerDeveloper(app), registerDeveloper(app)]);
    licenses = await createLicenses();
    app.clock.set(END);
    [ada, bob] = await Promise.all([logIn(app, ada), logIn(app, bob)]);
    all = await list();
  });

  /** One of each kind, two at a time, on two projects of one client and one of another. */
  async function createLicenses() {
    const clients = await Promise.all([createClient(app, ada), createClient(app, ada)]);
    const web = await createProject(app, ada, clients[0]._id, { duration: 1 });
    const shop = await createProject(app, ada, clients[0]._id, { duration: 12 });
    app.clock.advance({ seconds: 1 });
    const wiki = await createProject(app, ada, clients[1]._id, { duration: 2 });
    const pending = await addLicense(app, ada, web.project._id, { duration: 1 });
    app.clock.advance({ seconds: 1 });
    const withdrawn = await addLicense(app, ada, shop.project._id);
    const ended = await addLicense(app, ada, wiki.project._id);
    await activate(app, ended);
    await app.post(`/licenses/${withdrawn._id}/revoke`, {}, ada);
    await app.post(`/licenses/${ended._id}/revoke`, {}, ada);
    app.clock.advance({ seconds: -2 });
    await Promise.all([activate(app, web.license), activate(app, shop.license)]);
    app.clock.advance({ seconds: 60 });
    await activate(app, wiki.license);
    const kinds = { expired: web.license, active: shop.license, ending: wiki.license };
    return { ...kinds, pending, withdrawn, ended };
  }

  const queryOf = (filters: Record<string, string | number | undefined>) =>
    Object.entries(filters)
      .flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value)}`] : []))
      .join('&');
  const list = async (filters: Record<string, string | undefined> = {}, { token } = ada) => {
    const { status, body } = await app.get(`/licenses?${queryOf(filters)}`, { token });
    expect(status).toBe(200);
    return body.data as Shown[];
  };

  it('shows each license as it is read by itself, with its status now', async () => {
    expect(all).toHaveLength(6);
    for (const license of all) {
      expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);
    }
    const statusOf = (name: string) => all.find(({ _id }) => _id === licenses[name]?._id)?.status;
    expect(Object.keys(licenses).map((name) => [name, statusOf(name)])).toEqual([
      ['expired', 'EXPIRED'],
      ['active', 'ACTIVE'],
      ['ending', 'ACTIVE'],
      ['pending', 'PENDING'],
      ['withdrawn', 'REVOKED'],
      ['ended', 'REVOKED'],
    ]);
  });

  it('combines every filter with every other, in every order', async () => {
    const { expired, ending } = licenses;
    const combinationsOf = (status: string | undefined): Filters[] =>
      [undefined, expired!.client, ending!.client].flatMap((clientId) =>
        [undefined, expired!.project, ending!.project].flatMap((projectId) =>
          TIMES.flatMap((expiresBefore) =>
            SORTS.flatMap((sort) =>
              ORDERS.map((order) => ({ status, clientId, projectId, expiresBefore, sort, order })),
            ),
          ),
        ),
      );
    for (const status of STATUSES) {
      const combinations = casesInScope(combinationsOf(status));
      const responses = await pLimit(AT_ONCE).map(combinations, (filters) => list({ ...filters }));
      const wrong = combinations.filter(
        (filters, i) => String(idsOf(responses[i]!)) !== String(idsOf(expected(filters))),
      );

      expect(wrong).toEqual([]);
    }
  });

  /** The same of everything that is shown, filtered and sorted here. */
  function expected({ status, clientId, projectId, expiresBefore, sort, order }: Filters) {
    const sign = order === 'asc' ? 1 : -1;
    return all
      .filter((license) => !status || license.status === status)
      .filter(({ client }) => !clientId || client === clientId)
      .filter(({ project }) => !projectId || project === projectId)
      .filter(
        ({ activatedAt, expiresAt }) =>
          !expiresBefore || (activatedAt && Date.parse(expiresAt) < Date.parse(expiresBefore)),
      )
      .sort((a, b) => sign * (a[sort] + a._id < b[sort] + b._id ? -1 : 1));
  }

  it.each(SORTS.flatMap((sort) => ORDERS.map((order) => [sort, order] as const)))(
    'shows each once across pages by %s, %s',
    async (sort, order) => {
      const path = `/licenses?limit=2&sort=${sort}&order=${order}`;

      expect(await readPages(app, path, ada)).toEqual(await list({ sort, order }));
    },
  );

  it('is sorted by creation, the newest first, by default', async () => {
    expect(all).toEqual(await list({ sort: 'createdAt', order: 'desc' }));
  });

  it('shows a license as EXPIRED, and no longer as ACTIVE, from the millisecond of its end on', async () => {
    const isListed = async (status: string) =>
      idsOf(await list({ status })).includes(licenses.expired!._id);

    app.clock.set('2026-02-28T10:14:59.999Z');
    expect([await isListed('ACTIVE'), await isListed('EXPIRED')]).toEqual([true, false]);
    app.clock.set(END);
    expect([await isListed('ACTIVE'), await isListed('EXPIRED')]).toEqual([false, true]);
  });

  it("shows nothing of another user's, whatever the filters", async () => {
    const { client: clientId, project: projectId } = licenses.active!;
    for (const filters of [{}, { clientId }, { projectId }, { clientId, projectId }]) {
      expect(await list(filters, bob)).toEqual([]);
    }
  });

  it('shows nothing for a client or a project that does not exist', async () => {
    expect(await list({ clientId: NOBODYS })).toEqual([]);
    expect(await list({ projectId: NOBODYS })).toEqual([]);
  });

  describe('400', () => {
    it('rejects the cursor of another sort, of another order and of another list', async () => {
      const { body } = await app.get('/licenses?limit=1', ada);
      const projects = await app.get('/projects?limit=1', ada);
      const rejected = [
        `sort=expiresAt&cursor=${body.nextCursor}`,
        `order=asc&cursor=${body.nextCursor}`,
        `cursor=${projects.body.nextCursor}`,
      ];
      for (const query of rejected) {
        const response = await app.get(`/licenses?${query}`, ada);

        expect(response.status).toBe(400);
        expect(response.body).toMatchObject({ errors: { cursor: [expect.any(String)] } });
      }
      expect((await app.get(`/licenses?cursor=${body.nextCursor}`, ada)).status).toBe(200);
    });

    it.each([
      'status=active',
      'status=',
      'status=ACTIVE&status=EXPIRED',
      'status[$ne]=ACTIVE',
      'clientId=nonsense',
      'projectId[$gt]=',
      'expiresBefore=tomorrow',
      'expiresBefore=2026-02-28',
      'expiresBefore=2026-02-28T10:15:00',
      'expiresBefore=2026-13-01T00:00:00Z',
      'expiresBefore=1767225600000',
      'sort=key',
      'sort=keyHash',
      'order=-1',
      'limit=101',
      'owner=1',
    ])('rejects ?%s', async (query) => {
      const response = await app.get(`/licenses?${query}`, ada);

      expect(response.status).toBe(400);
      expect(response.body.message).toBe('Validation error');
    });
  });
});

interface Filters {
  readonly status: string | undefined;
  readonly clientId: string | undefined;
  readonly projectId: string | undefined;
  readonly expiresBefore: string | undefined;
  readonly sort: (typeof SORTS)[number];
  readonly order: (typeof ORDERS)[number];
}

import {
  activate,
  addLicense,
  createClient,
  createProject,
  type CreatedLicense,
  moveTo,
  NOBODYS,
} from '../developer.js';
import { expectInvalid } from '../expect-response.js';
import { readPages } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';

/** When the license `expired` expires. */
const END = '2026-02-28T10:15:00.000Z';

interface Shown extends CreatedLicense {
  readonly createdAt: string;
}

// Every filter with every other has its index in src/licenses/license-query.spec.ts, and its outcome in test/contract/store.
describe('GET /licenses', () => {
  const app = useApp();
  const ada = useDeveloper(app);
  let licenses: Record<string, CreatedLicense>;
  let all: Shown[];

  beforeAll(async () => {
    licenses = await createLicenses();
    await moveTo(app, ada, END);
    all = await readPages<Shown>(app, '/licenses', ada);
  });

  /** One of each kind, two at a time, on two projects of one client and one of another. */
  async function createLicenses() {
    const clients = [await createClient(app, ada), await createClient(app, ada)] as const;
    const web = await createProject(app, ada, clients[0]._id, { duration: 1 });
    const shop = await createProject(app, ada, clients[0]._id, { duration: 12 });
    app.clock.advance({ seconds: 1 });
    const wiki = await createProject(app, ada, clients[1]._id, { duration: 2 });
    const pending = await addLicense(app, ada, web.project._id, { duration: 1 });
    const withdrawn = await addLicense(app, ada, shop.project._id);
    await app.post(`/licenses/${withdrawn._id}/revoke`, {}, ada);
    app.clock.advance({ seconds: -1 });
    for (const { license } of [web, shop]) await activate(app, license);
    app.clock.advance({ seconds: 60 });
    await activate(app, wiki.license);
    const kinds = { expired: web.license, active: shop.license, ending: wiki.license };
    return { ...kinds, pending, withdrawn };
  }

  const nameOf = ({ _id }: { _id: string }) =>
    Object.keys(licenses).find((name) => licenses[name]!._id === _id)!;
  const list = async (query: string) =>
    (await readPages(app, `/licenses?limit=2&${query}`, ada)).map(nameOf);

  it('shows each license as it is read by itself, the newest first', async () => {
    for (const license of all) {
      expect((await app.get(`/licenses/${license._id}`, ada)).body).toEqual(license);
    }
    expect(all).toHaveLength(5);
    expect(all.map(nameOf)).toEqual(await list('sort=createdAt&order=desc'));
  });

  it.each<[string, string[]]>([
    ['status=PENDING', ['pending']],
    ['status=ACTIVE&sort=expiresAt', ['active', 'ending']],
    ['status=EXPIRED', ['expired']],
    ['status=REVOKED', ['withdrawn']],
    [`expiresBefore=${END}`, []],
    ['expiresBefore=2026-02-28T11:15:00.001%2B01:00', ['expired']],
    ['expiresBefore=2030-01-01T00:00:00Z&sort=expiresAt', ['active', 'ending', 'expired']],
    ['expiresBefore=2030-01-01T00:00:00Z&status=ACTIVE', ['ending', 'active']],
    ['clientId={ending.client}', ['ending']],
    ['projectId={expired.project}', ['pending', 'expired']],
    ['projectId={expired.project}&status=EXPIRED&sort=expiresAt', ['expired']],
    ['clientId={active.client}&sort=expiresAt&order=asc&status=ACTIVE', ['active']],
    ['clientId={active.client}&projectId={ending.project}', []],
    [`clientId=${NOBODYS}`, []],
  ])('?%s shows %j', async (query, names) => {
    const named = query.replace(
      /\{(\w+)\.(client|project)\}/g,
      (_text, name: string, field: 'client' | 'project') => licenses[name]![field],
    );

    expect(await list(named)).toEqual(names);
  });

  it('shows a license as EXPIRED, and no longer as ACTIVE, from the millisecond of its end on', async () => {
    app.clock.set('2026-02-28T10:14:59.999Z');
    expect(await list('status=EXPIRED')).toEqual([]);
    expect(await list('status=ACTIVE')).toContain('expired');
    app.clock.set(END);
    expect(await list('status=EXPIRED')).toEqual(['expired']);
  });

  it('400: rejects the cursor of another sort, of another order and of another list', async () => {
    const { nextCursor } = (await app.get('/licenses?limit=1', ada)).body;
    const ofProjects = (await app.get('/projects?limit=1', ada)).body.nextCursor;
    for (const query of [
      `sort=expiresAt&cursor=${nextCursor}`,
      `order=asc&cursor=${nextCursor}`,
      `cursor=${ofProjects}`,
    ]) {
      expectInvalid(await app.get(`/licenses?${query}`, ada), 'cursor');
    }
  });

  it.each([
    ['status', 'active'],
    ['projectId', ''],
    ['expiresBefore', '2026-02-28'],
    ['expiresBefore', '2026-13-01T00:00:00Z'],
    ['sort', 'keyHash'],
    ['limit', '101'],
  ])('400: rejects ?%s=%s', async (name, value) => {
    expectInvalid(await app.get(`/licenses?${name}=${value}`, ada), name);
  });
});

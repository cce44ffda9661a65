import {
  activate,
  addLicense,
  createClient,
  createProject,
  type CreatedLicense,
  moveTo,
} from '../developer.js';
import { readPages } from '../pages.js';
import { useApp, useDeveloper } from '../use-app.js';

/** When the license `expired` expires. */
const END = '2026-02-28T10:15:00.000Z';

interface Shown extends CreatedLicense {
  readonly createdAt: string;
}

// Every filter with every other has its index in src/licenses/license-reader.spec.ts, and its outcome in test/contract/store.
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
    ['status=ACTIVE&sort=expiresAt', ['active', 'ending']],
    ['status=REVOKED', ['withdrawn']],
    [`expiresBefore=${END}`, []],
    ['expiresBefore=2026-02-28T11:15:00.001%2B01:00', ['expired']],
  ])('?%s shows %j', async (query, names) => {
    expect(await list(query)).toEqual(names);
  });

  it('shows those of a client or of a project alone', async () => {
    const { ending, expired } = licenses;
    expect(await list(`clientId=${ending!.client}`)).toEqual(['ending']);
    expect(await list(`projectId=${expired!.project}`)).toEqual(['pending', 'expired']);
  });

  it('shows a license as EXPIRED, and no longer as ACTIVE, from the millisecond of its end on', async () => {
    app.clock.set('2026-02-28T10:14:59.999Z');
    expect(await list('status=EXPIRED')).toEqual([]);
    expect(await list('status=ACTIVE')).toContain('expired');
    app.clock.set(END);
    expect(await list('status=EXPIRED')).toEqual(['expired']);
  });
});

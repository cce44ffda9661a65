import { AccountsService } from '../../../src/auth/accounts/accounts.service.js';
import { Imports } from '../../../src/imports/imports.service.js';
import { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';
import type { Call } from '../../http-caller.js';
import { atOnce } from '../responses.js';
import { useApp } from '../use-app.js';
import { aRow, importInto, newKey } from './rows.js';

describe('GET /licenses.ndjson', () => {
  const app = useApp();

  it('exports licenses with their keys, and another deployment imports them unchanged', async () => {
    const other = await TestApp.start('SQLite');
    const ada = await app.register();
    const plan = { name: 'Pro', duration: 12, services: ['Domain'], maxMachines: 4 };
    const created = (await app.post('/plans', plan, ada)).body.plan;
    await app.createActiveLicense(ada, { externalId: 'order-1', metadata: { toString: 'x' } });
    const suspended = await app.createActiveLicense(ada, { plan: created._id, updatesDays: 30 });
    await app.post(`/licenses/${suspended._id}/suspend`, {}, ada);
    await app.createLicense(ada, {
      perpetual: true,
      duration: undefined,
      entitlements: ['export'],
    });
    await app.createLicense(ada, { updatesDays: 5, leaseSeconds: 600 });
    const paused = await app.createLicense(ada, { duration: 3 });
    await app.post(`/licenses/${paused._id}/suspend`, { reason: 'Unpaid' }, ada);
    const fixed = { duration: undefined, expiresAt: '2027-03-01T00:00:00.000Z' };
    await app.createLicense(ada, fixed);
    const refunded = await app.createLicense(ada, { duration: undefined, days: 45 });
    await app.post(`/licenses/${refunded._id}/revoke`, { reason: 'Refunded' }, ada);
    await importInto(app, ada, [aRow({ status: 'banned' })]);
    const rowsOf = async (from: TestApp, by: Call) => {
      const { body } = await from.get('/licenses.ndjson?order=asc', by);
      const lines = (body as unknown as string).trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line) as { key: string; client: object });
    };
    const rows = await rowsOf(app, ada);
    expect(rows).toHaveLength(8);
    const { data } = (await app.get('/events?type=licenses.exported', ada)).body;
    expect(data).toMatchObject([{ data: { count: 8 } }]);
    expect(app.log.join()).toContain('licenses_exported');

    const eve = await other.register();
    await other.post('/plans', plan, eve);
    const { totals } = await other.nest.get(Imports, { strict: false }).run({
      ...{
        accountId: (await other.nest
          .get(AccountsService, { strict: false })
          .findByEmail(eve.email))!.account,
        source: 'canonical',
        rows,
        allowsOwnKeys: true,
      },
      conflicts: { check: async () => undefined, reject: () => Promise.reject(new Error()) },
    });
    expect(totals).toMatchObject({ created: 8 });
    const byKey = (all: readonly { key: string; client: object }[]) =>
      all
        .map((row) => ({
          ...row,
          ref: '',
          client: { ...row.client, ref: '' },
          machines: [],
        }))
        .toSorted((one, two) => one.key.localeCompare(two.key));
    expect(byKey(await rowsOf(other, eve))).toEqual(byKey(rows));
    for (const { key } of rows) expect(await other.validationOf({ key })).not.toBe('invalid');
    await other.stop();
  });
});

describe('Imports of other accounts', () => {
  const app = useApp({ GUESS_LIMIT: '1' });

  it('reveal taken keys and addresses only to an import that creates, and only as many as the limit allows', async () => {
    const [ada, eve] = [await app.register(), await app.register()];
    const row = aRow();
    await importInto(app, ada, [row]);
    const probe = async (fields: object, more?: object) =>
      (await importInto(app, eve, [aRow(fields)], more)).body.results[0];
    const [byKey, byEmail] = [{ key: row.key }, { client: row.client }];
    for (const one of [byKey, byEmail]) {
      expect(await probe(one, { mode: 'check' })).toMatchObject({ outcome: 'created' });
    }
    expect(await probe(byKey)).toMatchObject({ code: 'KEY_TAKEN' });
    expect(await probe(byEmail)).toMatchObject({ code: 'CLIENT_EMAIL_TAKEN' });
    for (const one of [byKey, byEmail, {}]) {
      expect(await probe(one)).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    }
  });
});

describe('If anyone can register', () => {
  it.each([
    [{ IMPORT: '' }, 403],
    [{ IMPORT: '', REGISTRATION: 'first' }, 200],
    [{ IMPORT: 'false', REGISTRATION: 'first' }, 403],
  ])('imports follow %j: %i', async (env, status) => {
    const app = await TestApp.start('SQLite', env);
    const response = await importInto(app, await app.register(), [aRow()]);
    expect([response.status, response.body.code]).toEqual([
      status,
      status === 403 ? 'IMPORT_OFF' : undefined,
    ]);
    await app.stop();
  });
});

describe.each(ENGINES)('Racing imports on %s', (engine) => {
  it('create one of each license, project and client', async () => {
    const app = await TestApp.start(engine);
    const ada = await app.register();
    const client = { email: 'ada@race.example', name: 'Ada' };
    const key = newKey();
    const codesOf = async (times: number, rowOf: (index: number) => object) => {
      const send = (index: number) => importInto(app, ada, [aRow({ client, ...rowOf(index) })]);
      const codes = (await atOnce(times, send)).map(({ body }) => body.results[0]);
      return codes.map(({ outcome, code = outcome }) => code as string).toSorted();
    };
    const others = (code: string, times: number) => Array.from({ length: times }, () => code);
    expect(await codesOf(64, () => ({ key }))).toEqual([...others('KEY_TAKEN', 63), 'created']);
    expect(await codesOf(16, () => ({ ref: '1' }))).toEqual(['created', ...others('differs', 15)]);
    const { clientsCount, projectsCount, licensesCount } = (await app.get('/dashboard', ada)).body;
    expect({ clientsCount, projectsCount, licensesCount }).toEqual({
      ...{ clientsCount: 1, projectsCount: 1, licensesCount: 2 },
    });
    await app.stop();
  });
});

import { LicenseExportController } from '../../../src/licenses/license-export.controller.js';
import { toAccountId } from '../../../src/shared/ids.js';
import { aPrincipal, aUser } from '../../builders.js';
import { type CreatedLicense, pasted, unknownKey } from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../responses.js';
import { useDeveloper } from '../use-app.js';

const TERMS = { duration: 6, services: ['Hosting'] };

describe('Finding licenses', () => {
  const [app, ada] = useDeveloper({ GUESS_LIMIT: '1' });

  const lookUp = (key: unknown, user = ada) => app.post('/licenses/lookup', { key }, user);
  const list = async (query: string) => (await app.get(`/licenses?${query}`, ada)).body;

  it('by key, in any form; unknown keys count towards the limit, including keys of other accounts', async () => {
    const license = await app.createLicense(ada);
    const read = await app.readLicense(ada, license);
    expectResponse(await lookUp(pasted(license.key)), 200, { license: read });
    expectError(await lookUp(' '), 'LICENSE_KEY_REQUIRED');
    const eve = await app.register();
    for (const key of [license.key, 'nonsense', '\u201Cnonsense\u201D.']) {
      expectError(await lookUp(key, eve), 'LICENSE_NOT_FOUND');
    }
    expectError(await lookUp(unknownKey(), eve), 'TOO_MANY_REQUESTS');
    const own = await app.createLicense(eve);
    expect((await lookUp(own.key, eve)).status).toBe(200);
    expectError(await lookUp(license.key.slice(0, -4)), 'LICENSE_NOT_FOUND', {
      details: 'This is not a complete license key.',
    });
  });

  it('by external id, entitlement and expiry, combined and counted', async () => {
    const project = (await app.createProject(ada, (await app.createClient(ada))._id)).project._id;
    const { plan } = (await app.post('/plans', { name: 'Solo', ...TERMS }, ada)).body;
    const named = { externalId: 'o-1', plan: plan._id, metadata: { 'größe "L"': '100:1 \\ %' } };
    const plain = await app.addLicense(ada, project, { entitlements: ['a'], ...named });
    const endless = { entitlements: ['a', 'b'], duration: null, perpetual: true };
    const perpetual = await app.addLicense(ada, project, endless);
    const short = await app.addLicense(ada, project, { duration: null, days: 1 });
    for (const license of [perpetual, short]) await app.activate(license);
    const inProject = `projectId=${project}`;
    const idsOf = (licenses: { _id: string }[]) => licenses.map(({ _id }) => _id).sort();
    // src/licenses/license-reader.spec.ts combines all filters.
    for (const [query, ...found] of [
      ['externalId=o-1&entitlement=a', plain],
      ['entitlement=b&status=ACTIVE', perpetual],
      ['expiresAfter=2026-02-01T00:00:00Z&expiresBefore=2026-03-01T00:00:00Z', short],
      // In the year 10000 UTC.
      ['expiresBefore=9999-12-31T23:59:59-01:00', short],
      [`plan=${plan._id}`, plain],
      [`metadata=${encodeURIComponent('größe "L":100:1 \\ %')}`, plain],
      ['status=REVOKED&status=ACTIVE&entitlement=b', perpetual],
      [
        'createdAfter=2026-01-01T00:00:00Z&createdBefore=2027-01-01T00:00:00Z&entitlement=b',
        perpetual,
      ],
    ] as [string, CreatedLicense][]) {
      const { data } = await list(`${inProject}&${query}`);
      expect([query, idsOf(data)]).toEqual([query, idsOf(found)]);
    }
    expect((await list(`${inProject}&limit=1&total=true`)).total).toBe(4);
    expect((await list(`${inProject}&limit=1&total=false`)).total).toBeUndefined();
    expect((await list('externalId=o-2&total=true')).total).toBe(0);
    expectInvalid(await app.get('/licenses?total=yes', ada), 'total');
    expect((await list(`${inProject}&createdBefore=2026-01-01T00:00:00Z`)).data).toEqual([]);
    for (const wrong of ['entitlement=A', 'metadata=seller', 'plan=Solo', 'createdAfter=2026']) {
      expectInvalid(await app.get(`/licenses?${wrong}`, ada), wrong.split('=')[0]!);
    }
    expectInvalid(await app.get('/licenses?status=ACTIVE&status=active', ada), 'status');
    for (const path of ['/clients', '/projects', '/plans']) {
      const { body } = await app.get(`${path}?limit=1&total=true`, ada);
      expect(body.total).toBe((await app.get(`${path}?limit=100`, ada)).body.data.length);
    }
  });

  it('by one search together with clients, projects and plans: by part of the key, ids or part of a name, ignoring case and accents', async () => {
    const fields = { name: 'Größe & O’Nguyễn', email: 'mail@groesse.test' };
    const client = await app.createClient(ada, fields);
    const projectName = 'Überblick';
    const terms = { projectName, externalId: '0123456789abcdefABCDEF01' };
    const { project, license } = await app.createProject(ada, client._id, terms);
    const { plan } = (await app.post('/plans', { name: 'Équipe', ...TERMS }, ada)).body;
    const { keyHint } = await app.readLicense(ada, license);
    const hit = (kind: string, { _id }: { _id: string }, title: string, subtitle: string) => ({
      ...{ kind, _id, title, subtitle },
    });
    const found = {
      license: hit('license', license, projectName, `•••• ${keyHint}, ${client.name}`),
      client: hit('client', client, client.name, client.email),
      project: hit('project', project, projectName, client.name),
      plan: hit('plan', plan, plan.name, ''),
    };
    const eve = await app.register();
    for (const [q, ...expected] of [
      [license.key, found.license],
      [pasted(license.key), found.license],
      [license._id, found.license],
      ['0123456789abcdefABCDEF01', found.license],
      ['0123456789abcdefAB', found.license],
      [`•••• ${keyHint.toLowerCase()}`, found.license],
      [`LIC-…-${keyHint}`, found.license],
      [keyHint, found.license],
      ["O'NGUYEN", found.client],
      ['größe', found.client],
      ['L@GROESSE', found.client],
      ['UBERBLI', found.project],
      ['equip', found.plan],
      ['\u0301'],
      ['% _'],
    ] as [string, ...object[]][]) {
      expectResponse(await app.post('/search', { q }, ada), 200, { data: expected });
      expectResponse(await app.post('/search', { q }, eve), 200, { data: [] });
    }
    await app.patch(`/projects/${project._id}`, { name: 'Zebra' }, ada);
    expect((await app.post('/search', { q: 'zebr' }, ada)).body.data).toHaveLength(1);
    const names = { clientName: client.name, projectName: 'Zebra' };
    expect(await app.readLicense(ada, license)).toMatchObject(names);
    expectInvalid(await app.post('/search', { q: ' ' }, ada), 'q');
    for (let i = 0; i < 7; i++) await app.createClient(ada, { name: `Many ${i}` });
    expect((await app.post('/search', { q: 'many' }, ada)).body.data).toHaveLength(5);
  });
});

describe('POST /projects/:id/licenses/batch', () => {
  const [app, ada] = useDeveloper({ LICENSE_QUOTA: '5' });

  it('issues all or none, each with its own key', async () => {
    const { project } = await app.createLicense(ada);
    const issue = (body: object) => app.post(`/projects/${project}/licenses/batch`, body, ada);
    const { status, body } = await issue({ ...TERMS, count: 3, metadata: { batch: '7' } });
    expect([status, body.message]).toEqual([201, 'Licenses created']);
    expect(new Set(body.licenses.map(({ key }: { key: string }) => key)).size).toBe(3);
    for (const license of body.licenses) {
      expect(await app.readLicense(ada, license)).toEqual(license);
      expect(license).toMatchObject({ project, status: 'PENDING', metadata: { batch: '7' } });
    }
    expectError(await issue({ ...TERMS, count: 2 }), 'LICENSE_QUOTA_REACHED');
    expect((await app.get('/licenses?total=true', ada)).body.total).toBe(4);
    for (const count of [0, 101, undefined, '1']) {
      expectInvalid(await issue({ ...TERMS, count }), 'count');
    }
    expectInvalid(await issue({ ...TERMS, count: 1, externalId: 'o-1' }), 'externalId');
    expectError(await issue({ count: 1, services: ['Hosting'] }), 'INVALID_TERM');
  });
});

describe('GET /licenses.csv', () => {
  const [app, ada] = useDeveloper();

  it('contains all selected licenses without keys, safe for spreadsheets', async () => {
    const client = await app.createClient(ada, { name: '=cmd("x")' });
    const { plan } = (await app.post('/plans', { name: 'Team', ...TERMS }, ada)).body;
    const terms = { externalId: 'a,b', entitlements: ['x', 'y'], plan: plan._id };
    const { project, license } = await app.createProject(ada, client._id, terms);
    const body = { ...TERMS, count: 100 };
    for (let i = 0; i < 6; i++)
      await app.post(`/projects/${project._id}/licenses/batch`, body, ada);
    const send = async (query: string) => {
      const { headers, body: csv } = await app.get(`/licenses.csv${query}`, ada);
      return { headers, lines: (csv as string).split('\r\n') };
    };
    const { headers, lines } = await send('');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('licenses.csv');
    expect(lines).toHaveLength(603);
    expect(new Set(lines).size).toBe(603);
    expect(lines.join()).not.toContain('LIC-');
    const one = await send('?externalId=a,b');
    expect(one.lines).toHaveLength(3);
    expect(one.lines[0]).toMatch(
      /^_id,keyHint,status,clientName,clientEmail,projectName,product,externalId,plan,planName,/,
    );
    const begins = `${license._id},${license.key.slice(-4)},PENDING,"'=cmd(""x"")",`;
    const ends = `,Web shop,,"a,b",${plan._id},Team,`;
    expect(one.lines[1]!.startsWith(begins + client.email + ends)).toBe(true);
    // An API key that may not read clients gets no addresses.
    const key = await app.addApiKey(ada, ['licenses:read']);
    const masked = await app.get('/licenses.csv?externalId=a,b', key);
    expect((masked.body as string).includes(begins + ends)).toBe(true);
    expectInvalid(await app.get('/licenses.csv?limit=5', ada), 'limit');
    const headersOfAda = { Authorization: `Bearer ${ada.token}` };
    const file = await fetch(`${app.url}/licenses.csv?externalId=a,b`, { headers: headersOfAda });
    const start = new Uint8Array(await file.arrayBuffer()).subarray(0, 4);
    expect([...start]).toEqual([0xef, 0xbb, 0xbf, '_'.charCodeAt(0)]);
  });

  it('runs for one caller per account at a time, and ends if the caller disconnects', async () => {
    const exports = app.nest.get(LicenseExportController, { strict: false });
    const query = { sort: 'createdAt', order: 'desc' } as const;
    const caller = aPrincipal(aUser({ account: toAccountId(ada._id) }));
    const first = exports.exportLicenses(caller, query).getStream();
    expectError(await app.get('/licenses.csv', ada), 'TOO_MANY_CONCURRENT_REQUESTS');
    const eve = await app.register();
    expect((await app.get('/licenses.csv', eve)).status).toBe(200);
    await new Promise((resolve) => first.destroy().once('close', resolve));
    expect((await app.get('/licenses.csv', ada)).status).toBe(200);
  });
});

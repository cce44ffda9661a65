import { AccountsService } from '../../../src/auth/accounts/accounts.service.js';
import { ApiKeysService } from '../../../src/auth/api-keys/api-keys.service.js';
import { Imports } from '../../../src/imports/imports.service.js';
import {
  type RequestContext,
  requestContext,
  storeUnavailable,
} from '../../../src/shared/request-context.js';
import { WritableStore } from '../../../src/storage/writable-store.js';
import type { HttpResponse } from '../../http-caller.js';
import { DESKTOP, LAPTOP } from '../developer.js';
import { expectError, expectInvalid } from '../responses.js';
import { useDeveloper } from '../use-app.js';
import { addWebhook, deliveriesOf } from '../webhooks/drive.js';
import { aRow, importInto, newKey } from './rows.js';

describe('An import of licenses', () => {
  const [app, ada] = useDeveloper();
  const send = (rows: unknown[], fields?: object) => importInto(app, ada, rows, fields);
  const resultsOf = ({ status, body }: HttpResponse) => {
    expect(status).toBe(200);
    return body.results as {
      licenseId: string;
      outcome: string;
      warnings: string[];
      code?: string;
    }[];
  };
  const imported = async (fields: object) => {
    const [result] = resultsOf(await send([aRow(fields)]));
    expect(result).toMatchObject({ outcome: 'created' });
    return { ...result!, license: await app.readLicense(ada, { _id: result!.licenseId }) };
  };

  it('keeps the key, the terms and the machines, which already hold their seats', async () => {
    const row = aRow({
      ...{ project: 'Draw', status: 'active', issuedAt: '2024-02-01T10:00:00Z', plan: null },
      ...{ maxMachines: 3, release: 'self', entitlements: ['export'], externalId: 'order-4711' },
      ...{ metadata: { source: 'keygen' }, duration: 12, days: null, activatedAt: null },
      machines: [{ fingerprint: LAPTOP, name: 'Studio', activatedAt: '2024-02-03T09:00:00.000Z' }],
    });
    const { body } = await send([row]);
    expect(body).toMatchObject({ totals: { created: 1, rejected: 0 }, wouldExceed: null });
    const { licenseId } = body.results[0];
    expect(await app.readLicense(ada, { _id: licenseId })).toMatchObject({
      ...{ key: row.key, status: 'ACTIVE', expiresAt: row.expiresAt, endIsFixed: true },
      ...{ issuedAt: '2024-02-01T10:00:00.000Z', activatedAt: '2024-02-03T09:00:00.000Z' },
      ...{ duration: 12, maxMachines: 3, machinesCount: 1, externalId: 'order-4711' },
      ...{ product: 'com.acme.draw', projectName: 'Draw', clientName: 'Ada Ltd' },
    });
    const pasted = { key: ` "${row.key.toLowerCase()}"\n` };
    expect(await app.validationOf(pasted, LAPTOP)).toBe('active');
    expect((await app.activate(pasted as never, DESKTOP)).status).toBe(200);
    expect((await app.post('/licenses/lookup', pasted, ada)).body.license._id).toBe(licenseId);
    expect((await app.post('/search', { q: row.key }, ada)).body.data).toMatchObject([
      { kind: 'license', _id: licenseId },
    ]);
    const events = await app.eventsOf(ada, { _id: licenseId });
    expect(events.at(-1)).toMatchObject({
      ...{ type: 'license.imported' },
      data: { source: 'keygen', ref: row.ref, isNewClient: true, isNewProject: true, machines: 1 },
    });
    const all = (await app.get('/events?limit=100', ada)).body.data as { type: string }[];
    expect(all.map(({ type }) => type)).not.toContain('client.created');
  });

  it.each([
    [{}, { status: 'ACTIVE', endIsFixed: true }],
    [{ status: 'Past due' }, { status: 'ACTIVE' }],
    [
      { status: 'disabled', suspendedReason: 'Unpaid' },
      { status: 'SUSPENDED', suspendedReason: 'Unpaid' },
    ],
    [{ status: 'refunded' }, { status: 'REVOKED', revokedReason: 'refunded' }],
    [
      { status: 'revoked', revokedReason: 'Fraud' },
      { status: 'REVOKED', revokedReason: 'Fraud' },
    ],
    [{ status: 'expired', expiresAt: '2025-01-01T00:00:00Z' }, { status: 'EXPIRED' }],
    [
      { expiresAt: null, duration: 12 },
      { perpetual: true, status: 'ACTIVE' },
    ],
    [
      { expiresAt: null, status: 'pending', days: 30 },
      { startsOnActivation: true, days: 30 },
    ],
    [
      { expiresAt: null, status: 'pending' },
      { perpetual: true, status: 'PENDING' },
    ],
    [
      { expiresAt: undefined, days: 30, issuedAt: '2026-01-10T00:00:00Z' },
      { status: 'ACTIVE', expiresAt: '2026-02-09T00:00:00.000Z', endIsFixed: false },
    ],
    [
      { updatesDays: 10, activatedAt: '2026-01-10T00:00:00Z' },
      { updatesUntil: '2026-01-20T00:00:00.000Z' },
    ],
  ])('turns %j into %j', async (fields, expected) => {
    expect((await imported(fields)).license).toMatchObject(expected);
  });

  it.each([
    ['KEY_WEAK', { key: 'A1B2C3' }],
    ['ROUNDED_TO_DAYS', { expiresAt: null, status: 'pending', days: 0.5 }],
    ['METADATA_CUT', { metadata: { note: 'x'.repeat(501), at: { line: '\u0000' } } }],
    ['MACHINES_RAISED', { machines: [{ fingerprint: 'dongle-1' }, { fingerprint: 'dongle-2' }] }],
    ['MACHINES_NOT_IMPORTED', { machines: [{ name: 'Studio' }, { fingerprint: 'undefined' }] }],
  ])('warns with %s', async (warning, fields) => {
    const { warnings, license } = await imported({
      ...fields,
      key: `${(fields as { key?: string }).key ?? newKey()}`,
    });
    expect(warnings).toEqual([warning]);
    expect(license.maxMachines).toBe(warning === 'MACHINES_RAISED' ? 2 : 1);
  });

  it('rejects an invalid row with a code and the field, and changes nothing', async () => {
    const invalid: [string, string, object][] = [
      ['KEY_INVALID', 'key', { key: 'A1 B2 C3' }],
      ['KEY_INVALID', 'key', { key: 'LIC-665F1C2AB7E4A90012345678-7Q2M-X0AB-93KD' }],
      ['KEY_INVALID', 'key', { key: 5 }],
      ['FIELD_INVALID', 'ref', { ref: undefined }],
      ['FIELD_INVALID', 'client', { client: null }],
      ['FIELD_INVALID', 'client.email', { client: { email: 'nobody' } }],
      ['FIELD_INVALID', 'project', { product: null }],
      ['FIELD_INVALID', 'services', { services: ['Gardening'] }],
      ['FIELD_INVALID', 'services', { services: null }],
      ['FIELD_INVALID', 'machines', { machines: Array.from({ length: 101 }, () => ({})) }],
      ['FIELD_INVALID', 'machines', { machines: ['host-1'] }],
      ['FIELD_INVALID', 'machines.name', { machines: [{ name: '' }] }],
      ['FIELD_INVALID', 'colour', { colour: 'red' }],
      ['FIELD_INVALID', 'neverActivated', { neverActivated: true }],
      ['EMAIL_MISSING', 'client.email', { client: { ref: 'u-17' } }],
      ['PLAN_NOT_FOUND', 'plan', { plan: 'Nothing' }],
      ['STATUS_UNKNOWN', 'status', { status: 'asleep' }],
      ['DATE_INVALID', 'issuedAt', { issuedAt: '2024-02-31T00:00:00Z' }],
      ['DATE_INVALID', 'machines.activatedAt', { machines: [{ activatedAt: 'today' }] }],
      ['END_UNKNOWN', 'expiresAt', { expiresAt: undefined }],
      ['END_UNKNOWN', 'expiresAt', { expiresAt: null, subscription: true }],
      ['END_UNKNOWN', 'expiresAt', { expiresAt: null, status: 'expired' }],
      ['END_TOO_FAR', 'expiresAt', { expiresAt: '2099-01-01T00:00:00Z' }],
    ];
    const rows = invalid.map(([, , fields]) => aRow(fields));
    for (const mode of ['check', 'create']) {
      const results: { outcome: string; code: string; field: string }[] = (
        await send(rows, { mode })
      ).body.results;
      expect(results.map(({ outcome, code, field }) => [outcome, code, field])).toEqual(
        invalid.map(([code, field]) => ['rejected', code, field]),
      );
    }
    expect((await app.get('/clients', ada)).body.data).toEqual([]);
  });

  it('imports each row once, reports what differs, and lets a replacement take its place', async () => {
    const row = aRow();
    const [first] = resultsOf(await send([row, row]));
    expect(resultsOf(await send([row]))).toMatchObject([
      { outcome: 'same', licenseId: first!.licenseId },
    ]);
    const other = { ...row, maxMachines: 2, status: 'suspended' };
    expect(resultsOf(await send([other]))).toMatchObject([
      { outcome: 'differs', fields: ['status', 'maxMachines'] },
    ]);
    const { body } = await app.post(`/licenses/${first!.licenseId}/reissue`, {}, ada);
    expect(resultsOf(await send([row]))).toMatchObject([
      { outcome: 'same', licenseId: body.license._id },
    ]);
    expect(resultsOf(await send([{ ...row, ref: 'another' }]))).toMatchObject([
      { outcome: 'rejected', code: 'KEY_TAKEN' },
    ]);
    const order = { externalId: 'order-1' };
    for (const mode of ['check', 'create']) {
      const results = resultsOf(await send([aRow(order), aRow(order)], { mode }));
      const outcomes = results.map(({ outcome, code = outcome }) => code);
      expect(outcomes.toSorted()).toEqual(['LICENSE_EXISTS', 'created']);
    }
  });

  it('sends its events only to webhooks that name them', async () => {
    const url = 'https://127.0.0.1:1024/';
    const all = await addWebhook(app, ada, url);
    const named = await addWebhook(app, ada, url, ['license.imported']);
    const counts = () =>
      Promise.all([all, named].map(async (one) => (await deliveriesOf(app, ada, one)).length));
    const [ofAll, ofNamed] = await counts();
    await imported({});
    expect(await counts()).toEqual([ofAll, ofNamed! + 1]);
  });

  it('checks without changing anything: repeats of a file, and the quotas it would exceed', async () => {
    const row = aRow();
    const twin = { ...aRow(), key: row.key.toLowerCase() };
    const { body } = await send([row, row, twin], { mode: 'check' });
    expect(body).toMatchObject({
      results: [{ outcome: 'created' }, { outcome: 'same' }, { code: 'KEY_TAKEN' }],
      totals: { created: 1, same: 1, rejected: 1 },
      wouldExceed: null,
    });
    expect((await app.get('/licenses', ada)).body.data).toEqual([]);
  });

  it('fills in missing fields from its defaults and from plans, and creates placeholder addresses on request', async () => {
    const plan = { name: 'Pro', duration: 12, services: ['Domain'], maxMachines: 4 };
    await app.post('/plans', plan, ada);
    const row = {
      ...{ ref: '1', key: newKey(), client: { ref: 'u-17', name: 'Ada' } },
      issuedAt: '2026-01-01T00:00:00Z',
    };
    const fields = {
      allowMissingEmail: true,
      defaults: { plan: 'Pro', product: 'draw', services: ['Hosting'] },
    };
    const [result] = resultsOf(await send([row], fields));
    expect(result).toMatchObject({ outcome: 'created', warnings: ['ADDRESS_MADE_UP'] });
    expect(await app.readLicense(ada, { _id: result!.licenseId })).toMatchObject({
      ...{ services: ['Hosting'], maxMachines: 4, expiresAt: '2027-01-01T00:00:00.000Z' },
    });
    const [{ email }] = (await app.get('/clients', ada)).body.data;
    expect(email).toMatch(/^[0-9a-f]{32}@imported\.invalid$/);
    expect(resultsOf(await send([{ ...row, ref: '2', key: newKey() }], fields))).toMatchObject([
      { outcome: 'created' },
    ]);
    expect((await app.get('/clients', ada)).body.data).toHaveLength(1);
    expectInvalid(
      await app.post('/clients', { name: 'Eve', email: 'a@imported.invalid' }, ada),
      'email',
    );
  });

  it('defers rows if the request has too little time left, or the store is unavailable', async () => {
    const imports = app.nest.get(Imports, { strict: false });
    const accounts = app.nest.get(AccountsService, { strict: false });
    const { account: accountId } = (await accounts.findByEmail(ada.email))!;
    const request = { source: 'keygen', accountId, rows: [aRow()], conflicts: undefined };
    const soon = { endsAt: performance.now() + 700 } as RequestContext;
    const { totals } = await requestContext.run(soon, () => imports.run(request));
    expect(totals).toMatchObject({ deferred: 1, created: 0 });
    const commit = jest.spyOn(app.nest.get(WritableStore), 'commit');
    commit.mockRejectedValueOnce(storeUnavailable('an outage'));
    const row = aRow();
    expect(resultsOf(await send([row]))).toMatchObject([{ outcome: 'deferred', ref: row.ref }]);
    expect(resultsOf(await send([row]))).toMatchObject([{ outcome: 'created' }]);
  });

  it('with an invalid or oversized envelope is rejected', async () => {
    expectInvalid(await send([]), 'rows');
    expectInvalid(await send(Array.from({ length: 101 }, () => aRow())), 'rows');
    expectInvalid(await send([aRow()], { source: 'Key Gen', mode: 'try' }), 'source', 'mode');
    const unknown = { defaults: { services: ['Email'] } };
    expectInvalid(await send([aRow()], unknown), 'defaults');
    const large = (length: number) => send([{ ...aRow(), metadata: { note: 'x'.repeat(length) } }]);
    expect((await large(1_000_000)).status).toBe(200);
    expectError(await large(1_050_000), 'BODY_TOO_LARGE');
  });

  it('reads a large body only for a caller with valid credentials', async () => {
    const body = { source: 'keygen', mode: 'check', rows: [{ note: 'x'.repeat(1_050_000) }] };
    for (const token of ['wrong', 'lms_wrong']) {
      expectError(await app.post('/licenses/import', body, { token }), 'UNAUTHORIZED');
    }
    const key = await app.addApiKey(ada, ['clients:write', 'projects:write', 'licenses:write']);
    const checks = jest.spyOn(app.nest.get(ApiKeysService, { strict: false }), 'authenticate');
    expect((await importInto(app, key, [aRow()])).body.totals).toMatchObject({ created: 1 });
    expect(checks).toHaveBeenCalledTimes(1);
  });
});

describe('An import beyond the quotas', () => {
  const [app, ada] = useDeveloper({
    ...{ CLIENT_QUOTA: '1', PROJECT_QUOTA: '2', LICENSE_QUOTA: '3', MACHINE_QUOTA: '1' },
  });

  it('reports the excess in a check, and rejects each row beyond a quota', async () => {
    const client = { email: 'ada@client.example' };
    const machines = [{ fingerprint: LAPTOP }];
    const row = { client, machines };
    const rows = [
      ...[aRow(row), aRow({ product: 'a', client }), aRow(), aRow({ ...row, maxMachines: 2 })],
      ...[aRow({ product: 'b', client }), aRow({ client }), aRow({ client })],
    ];
    const check = await importInto(app, ada, rows, { mode: 'check' });
    expect(check.body).toMatchObject({
      totals: { created: 7, rejected: 0 },
      wouldExceed: { clients: 1, projects: 2, licenses: 4, machines: 1 },
    });
    const codes: string[] = [];
    for (const one of rows) {
      const { outcome, code = outcome } = (await importInto(app, ada, [one])).body.results[0];
      codes.push(code);
    }
    expect(codes).toEqual([
      ...['created', 'created', 'CLIENT_QUOTA_REACHED', 'MACHINE_QUOTA_REACHED'],
      ...['PROJECT_QUOTA_REACHED', 'created', 'LICENSE_QUOTA_REACHED'],
    ]);
  });
});

import { START } from '../../fake-clock.js';
import { expectError, expectInvalid, expectResponse, statusesOf } from '../responses.js';
import { DESKTOP, LAPTOP } from '../developer.js';
import { useDeveloper } from '../use-app.js';

// Terms are covered in src/licenses/license.spec.ts.
describe('The changes of a license', () => {
  const [app, ada] = useDeveloper();

  const change = (action: string) => (license: { _id: string }, body?: unknown) =>
    app.post(`/licenses/${license._id}/${action}`, body, ada);
  const [revoke, reissue] = [change('revoke'), change('reissue')];
  const read = (license: { _id: string }) => app.readLicense(ada, license);

  it('revoke: revokes a PENDING license with a reason, and changes nothing when repeated', async () => {
    const license = await app.createLicense(ada);
    for (const reason of ['x'.repeat(501), 5]) {
      expectInvalid(await revoke(license, { reason }), 'reason');
    }
    const { status, body } = await revoke(license, { reason: ' Contract ended ' });

    const revoked = { status: 'REVOKED', revokedAt: START, revokedReason: 'Contract ended' };
    expectResponse({ status, body }, 200, {
      message: 'License revoked',
      license: { ...license, ...revoked },
    });
    expect(await read(license)).toEqual(body.license);
    app.clock.advance({ seconds: 60 });
    expectResponse(await revoke(license, { reason: 'second' }), 200, body);
    expect(await app.eventsOf(ada, license)).toMatchObject([
      { type: 'license.revoked' },
      { type: 'license.created' },
    ]);
  });

  it('reissue: revokes the license and returns it with a replacement on the same terms, and rejects a REVOKED one', async () => {
    const old = await app.createLicense(ada, {
      ...{ duration: 3, services: ['Domain', 'Hosting'], entitlements: ['a'] },
      ...{ maxMachines: 3, leaseSeconds: 600, release: 'self', metadata: { a: 'b' } },
    });
    await app.activate(old, LAPTOP);
    app.clock.advance({ seconds: 60 });
    const before = await read(old);
    expect(await app.validationOf(old, LAPTOP)).toBe('active');
    const { status, body } = await reissue(old, { duration: null });
    const now = app.clock.now().toISOString();
    const { revoked, license } = body;

    expect([status, body.message]).toEqual([201, 'License reissued']);
    expect(revoked).toEqual({
      ...before,
      ...{ status: 'REVOKED', revokedReason: 'Reissued', revokedAt: now, updatedAt: now },
    });
    expect(license).toEqual({
      ...old,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      key: expect.stringMatching(new RegExp(`^LIC-${old.project}(-[A-Z0-9]{4}){3}$`)),
      keyHint: (license.key as string).slice(-4),
      // The rest of the term, in whole days.
      ...{ duration: null, days: 89 },
      ...{ replaces: old._id, issuedAt: now, expiresAt: '2026-04-30T10:16:00.000Z' },
      ...{ createdAt: now, updatedAt: now },
    });
    expect(license.key).not.toBe(old.key);
    expect([await read(old), await read(license)]).toEqual([revoked, license]);
    expect(await app.validationOf(old, LAPTOP)).toBe('revoked');
    expect((await app.activate(license, DESKTOP)).status).toBe(200);
    expectError(await reissue(old), 'LICENSE_ALREADY_REVOKED');
    expect(await app.eventsOf(ada, old)).toMatchObject([
      { type: 'license.reissued', data: { replacement: license._id } },
      { type: 'license.activated' },
      { type: 'license.created' },
    ]);
    expect(await app.eventsOf(ada, license)).toMatchObject([
      { type: 'license.activated' },
      { type: 'license.created', data: { replaces: old._id } },
    ]);
    expect((await reissue(license, { duration: 12 })).body.license.duration).toBe(12);
    expect((await app.get(`/licenses?projectId=${old.project}`, ada)).body.data).toHaveLength(3);
  });

  // Every day of twelve years and every duration are covered in src/shared/time/calendar.spec.ts.
  it.each([
    ['a year behind', '2025-01-31T10:15:00.000Z', 'ACTIVE'],
    ['a day ahead', '2026-02-01T10:15:00.000Z', 'ACTIVE'],
    ['a year ahead', '2027-01-31T10:15:00.000Z', 'EXPIRED'],
  ])(
    'R9: with a clock that is %s, a term is over or not by that clock, and every change succeeds',
    async (_case, now, status) => {
      const [license, other] = [await app.createLicense(ada), await app.createLicense(ada)];
      for (const one of [license, other]) await app.activate(one);
      await app.moveTo(ada, now);
      const read = await app.readLicense(ada, license);
      const query = `status=${status}&projectId=${license.project}`;

      expect(read.status).toBe(status);
      expect((await app.get(`/licenses?${query}`, ada)).body.data).toEqual([read]);
      expect(await app.validationOf(license)).toBe(status.toLowerCase());
      const fresh = await app.createLicense(ada);
      const changes = [
        await app.activate(fresh),
        await app.post(`/licenses/${license._id}/renew`, { duration: 1 }, ada),
        await app.post(`/licenses/${other._id}/reissue`, { days: 9 }, ada),
        await app.post(`/licenses/${fresh._id}/revoke`, {}, ada),
        await app.patch(`/clients/${fresh.client}`, { name: 'Renamed' }, ada),
        await app.delete(`/projects/${fresh.project}`, ada),
      ];
      expect(statusesOf(changes)).toEqual([200, 200, 201, 200, 200, 204]);
      expect(await app.validationOf(license)).toBe('active');
    },
  );
});

interface Caller {
  readonly token: string;
}

describe('POST /licenses/batch', () => {
  const [app, ada] = useDeveloper();

  const change = (operation: string, items: unknown, { token }: Caller = ada, headers = {}) =>
    app.post('/licenses/batch', { operation, items }, { token, headers });
  const outcomesOf = async (operation: string, items: object[], caller: Caller = ada) =>
    (await change(operation, items, caller)).body.results;

  it('changes each license independently by its id or external id, like the operation for one license', async () => {
    const active = await app.createLicense(ada, { externalId: 'o-1', metadata: { a: 'b' } });
    await app.activate(active);
    const pending = await app.createLicense(ada);
    const eve = await app.register();
    const foreign = await app.createLicense(eve, { externalId: 'o-2' });
    const { expiresAt } = await app.readLicense(ada, active);
    const missing = { id: null, status: 404, code: 'LICENSE_NOT_FOUND' };
    const invalid = { id: null, status: 400, code: 'VALIDATION_ERROR' };
    const results = await outcomesOf('renew', [
      { externalId: 'o-1', days: 1 },
      { id: pending._id, duration: 1 },
      ...[
        { id: foreign._id, days: 1 },
        { externalId: 'o-2', days: 1 },
      ],
      ...[
        { externalId: 'o-3', duration: 13 },
        { id: 'x', days: 1 },
      ],
      { id: active._id, externalId: 'o-1', days: 1 },
      { id: active._id.toUpperCase(), days: 1, day: 1 },
    ]);
    const renewed = await app.readLicense(ada, active);
    expect(Date.parse(renewed.expiresAt) - Date.parse(expiresAt)).toBe(86_400_000);
    expect(results).toMatchObject([
      { id: active._id, status: 200, license: renewed },
      { id: pending._id, status: 409, code: 'LICENSE_NOT_ACTIVATED' },
      ...[missing, missing, { id: null, status: 400, code: 'INVALID_DURATION' }],
      { ...invalid, message: expect.stringMatching(/^id must be an object id/) },
      ...[
        invalid,
        {
          ...invalid,
          message: 'day is not a field here (did you mean days?).',
        },
      ],
    ]);
    expect(await app.readLicense(eve, foreign)).toMatchObject({ status: 'PENDING' });
    for (const [operation, status] of [
      ['suspend', 'SUSPENDED'],
      ['resume', 'ACTIVE'],
    ] as const) {
      expect(await outcomesOf(operation, [{ id: active._id }])).toMatchObject([
        { status: 200, license: { status } },
      ]);
    }
    const updates: object[] = [
      { id: active._id, externalId: 'o-4', maxMachines: 2 },
      { id: pending._id, metadata: { c: 'd', constructor: 'e' } },
      { externalId: 'o-9', constructor: 'f' },
    ];
    expect(await outcomesOf('update', updates)).toMatchObject([
      { license: { externalId: 'o-4', maxMachines: 2, metadata: { a: 'b' } } },
      { license: { externalId: null, metadata: { c: 'd', constructor: 'e' } as object } },
      { ...invalid, message: 'constructor is not a field here.' },
    ]);
    expect(await outcomesOf('update', [{ externalId: 'o-4', maxMachines: 3 }])).toMatchObject([
      { license: { externalId: 'o-4', maxMachines: 3 } },
    ]);
    const revoked = { status: 'REVOKED', revokedReason: 'Refunded' };
    expect(await outcomesOf('revoke', [{ externalId: 'o-4', reason: 'Refunded' }])).toMatchObject([
      { id: active._id, status: 200, license: revoked },
    ]);
  });

  it('requires the scope and role of its operation, and takes 1 to 100 licenses', async () => {
    const { _id: id } = await app.createLicense(ada);
    const suspender = await app.addApiKey(ada, ['licenses:suspend']);
    const writer = await app.addApiKey(ada, ['licenses:write']);
    const revoker = await app.addApiKey(ada, ['licenses:revoke']);
    const support = await app.addMember(ada, 'support');
    const rejected = 'INSUFFICIENT_SCOPE';
    expectError(await change('update', [{ id }], suspender), rejected, { scope: 'licenses:write' });
    expectError(await change('renew', [{ id }], writer), rejected, { scope: 'licenses:suspend' });
    expectError(await change('revoke', [{ id }], suspender), rejected, {
      scope: 'licenses:revoke',
    });
    expectError(await change('update', [{ id }], support), 'INSUFFICIENT_ROLE');
    for (const [operation, caller] of [
      ['suspend', suspender],
      ['update', writer],
      ['resume', support],
      ['revoke', revoker],
    ] as const) {
      expect((await change(operation, [{ id }], caller)).body.results).toMatchObject([
        { id, status: 200 },
      ]);
    }
    expectInvalid(await change('delete', [{ id }]), 'operation');
    const many = Array.from({ length: 101 }, (_, index) => ({ externalId: `o-${index}` }));
    for (const items of [[], many, {}, ['x'], [null], [{ id: 5 }], undefined, [{ id }, { id }]]) {
      expectInvalid(await change('suspend', items), 'items');
    }
    expect(await outcomesOf('suspend', many.slice(1))).toHaveLength(100);
  });

  it('renews once per idempotency key, even if it was rejected before', async () => {
    const [one, two] = [await app.createLicense(ada), await app.createLicense(ada)];
    await app.activate(one);
    const items = [one, two].map(({ _id: id }) => ({ id, days: 1 }));
    const send = (more: object[] = []) =>
      change('renew', [...items, ...more], ada, { 'Idempotency-Key': 'invoice 7' });
    const first = (await send()).body.results;
    expect(statusesIn(first)).toEqual([200, 409]);
    await app.activate(two);
    const [again, later] = [(await send()).body.results, (await send()).body.results];
    expect(statusesIn(again)).toEqual([200, 200]);
    expect(again[0]).toEqual(first[0]);
    expect(later).toEqual(again);
    expectError(await send([{ externalId: 'o-1', days: 1 }]), 'IDEMPOTENCY_KEY_REUSED');
  });
});

const statusesIn = (results: { status: number }[]) => results.map(({ status }) => status);

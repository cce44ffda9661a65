import { CountedEvents } from '../../../src/events/counted-events.service.js';
import { LastSeen } from '../../../src/machines/last-seen.service.js';
import { expectError, expectInvalid, expectResponse } from '../responses.js';
import { useDeveloper } from '../use-app.js';
import { A, B, C, D, machinesUnder } from './machines.js';

describe('The machines of an account', () => {
  const [app, ada] = useDeveloper({ MACHINE_QUOTA: '3' });

  it('have a quota across licenses; releasing a machine makes room', async () => {
    const licenses = [
      await app.createLicense(ada, { maxMachines: 2 }),
      await app.createLicense(ada, { maxMachines: 9, release: 'self' }),
    ] as const;
    const [first, second] = licenses;
    for (const [license, fingerprint] of [
      [first, A],
      [first, B],
      [second, A],
    ] as const) {
      expect((await app.activate(license, fingerprint)).status).toBe(200);
    }
    const rejected = await app.activate(second, B);
    expectError(rejected, 'MACHINE_QUOTA_REACHED', { success: false });
    expect((await app.activate(second, A)).status).toBe(200);
    const issue = await app.post(
      `/licenses/${second._id}/certificates`,
      { fingerprint: B, product: second.project, days: 1 },
      ada,
    );
    expectError(issue, 'MACHINE_QUOTA_REACHED');
    const { key } = second;
    await app.post('/validate/release', { key, fingerprint: A });
    expect((await app.activate(second, B)).status).toBe(200);
  });
});

describe('The machines of a license', () => {
  const [app, ada] = useDeveloper();

  const { validate, release, read, machinesOf, taken, after } = machinesUnder(app, ada);

  it('take its seats: one too many is rejected with the seat count, and a seat does not restart the term', async () => {
    const license = await taken([A]);
    const { activatedAt, expiresAt } = await read(license);
    app.clock.advance({ seconds: 60 });
    const second = await app.post('/validate/activate', {
      ...{ key: license.key, fingerprint: B, machineName: ' Desk 2 ' },
    });
    expectResponse(second, 200, {
      ...{ success: true, message: 'License activated', activatedAt, expiresAt },
      machineId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await app.activate(license, C);
    app.clock.advance({ seconds: 1 });
    const machines = { used: 3, max: 3 };
    expectResponse(await app.activate(license, D), 403, {
      ...{ success: false, message: 'Machine limit reached', code: 'MACHINE_LIMIT_REACHED' },
      ...{ details: expect.any(String), machines, requestId: expect.any(String) },
    });
    expect(await validate(license, D)).toEqual({
      ...{ valid: false, status: 'machine_mismatch', machines },
      message: 'License is activated on another machine',
    });
    expect(await validate(license, B)).toMatchObject({ valid: true, entitlements: [] });
    const listed = await machinesOf(license);
    expect(listed).toHaveLength(3);
    const listedSecond = listed.find((one: { name: string }) => one.name !== null);
    expect(listedSecond).toEqual({
      ...{ machineId: second.body.machineId, name: 'Desk 2', activatedAt: after(-1) },
      ...{ lastSeenAt: '2026-01-31T00:00:00.000Z', leaseEndsAt: null },
    });
    expect(await read(license)).toMatchObject({
      ...{ machinesCount: 3, machineId: null, activatedAt, expiresAt },
    });
    app.clock.advance({ seconds: 1 });
    await app.activate(license, D);
    await app.nest.get(CountedEvents, { strict: false }).step();
    expect((await app.eventsOf(ada, license))[0]).toMatchObject({
      ...{ type: 'license.activation_rejected', data: { reason: 'machine_limit' } },
      ...{ at: after(-1), lastAt: after(0), count: 2 },
    });
  });

  it('are released by the vendor, who learns when the certificate expires; the seat is free immediately', async () => {
    const license = await taken([A, B, C]);
    const first = (await machinesOf(license)).at(-1);
    const path = (machineId: string) => `/licenses/${license._id}/machines/${machineId}`;
    await app.issueCertificate(ada, license, { fingerprint: A });
    expect((await app.delete(path(first.machineId), ada)).status).toBe(204);
    expect(await app.validationOf(license, A)).toBe('machine_mismatch');
    expect((await read(license)).machinesCount).toBe(2);
    expect((await app.activate(license, D)).status).toBe(200);
    expectError(await app.delete(path(first.machineId), ada), 'MACHINE_NOT_FOUND');
    expectInvalid(await app.delete(path('x'), ada), 'machineId');
    expect((await app.eventsOf(ada, license))[1]).toMatchObject({
      ...{ type: 'license.machine_released', actor: { type: 'user', id: ada._id } },
      data: { machineId: first.machineId, certificateExpiresAt: after(30 * 86_400) },
    });
  });

  it('release themselves if allowed, three times in 30 days; the vendor can release them at any time', async () => {
    const license = await taken([A], { maxMachines: 1, release: 'self' });
    for (let times = 0; times < 3; times++) {
      expectResponse(await release(license, A), 200, {
        ...{ success: true, message: 'License released from this machine' },
      });
      expect(await read(license)).toMatchObject({ status: 'ACTIVE', machineId: null });
      expect(await validate(license, B)).toMatchObject({
        message: 'License is not activated on this machine',
        machines: { used: 0, max: 1 },
      });
      expect((await app.activate(license, A)).status).toBe(200);
    }
    expectError(await release(license, A), 'RELEASE_LIMIT_REACHED', { success: false });
    const [{ machineId }] = await machinesOf(license);
    await app.delete(`/licenses/${license._id}/machines/${machineId}`, ada);
    await app.activate(license, A);
    app.clock.advance({ seconds: 30 * 86_400 });
    expect((await release(license, A)).status).toBe(200);
  });

  it('learn why they may not be released, in the documented order', async () => {
    const license = await taken([A], { maxMachines: 1 });
    expectError(await release(license), 'FINGERPRINT_REQUIRED', { success: false });
    expectError(await release({ key: 'nonsense' }, A), 'LICENSE_NOT_FOUND');
    expectError(await release(license, B), 'RELEASE_NOT_ALLOWED');
    await app.patch(`/licenses/${license._id}`, { release: 'self' }, ada);
    expectError(await release(license, B), 'MACHINE_NOT_FOUND');
    await app.issueCertificate(ada, license, { fingerprint: A });
    expectError(await release(license, A), 'CERTIFICATE_OUTSTANDING');
    await app.post(`/licenses/${license._id}/suspend`, {}, ada);
    app.clock.advance({ seconds: 31 * 86_400 });
    expect((await release(license, A)).status).toBe(200);
    await app.moveTo(ada, app.clock.now().toISOString());
    await app.post(`/licenses/${license._id}/revoke`, {}, ada);
    expectError(await release(license, A), 'LICENSE_REVOKED');
  });

  it('have a last-seen day, written in the background and not by the validation', async () => {
    const license = await taken([A, B]);
    await app.moveTo(ada, '2026-02-03T04:05:06.000Z');
    await validate(license, A);
    const days = async () =>
      (await machinesOf(license)).map(({ lastSeenAt }: { lastSeenAt: string }) => lastSeenAt);
    expect(await days()).toEqual(Array(2).fill('2026-01-31T00:00:00.000Z'));
    const before = await read(license);
    await app.nest.get(LastSeen, { strict: false }).step();
    expect(await days()).toEqual(['2026-01-31T00:00:00.000Z', '2026-02-03T00:00:00.000Z']);
    expect(await read(license)).toEqual(before);
    await app.moveTo(ada, '2026-02-04T04:05:06.000Z');
    expect((await app.activate(license, B)).status).toBe(200);
    await app.nest.get(LastSeen, { strict: false }).step();
    expect(await days()).toEqual(['2026-02-04T00:00:00.000Z', '2026-02-03T00:00:00.000Z']);
  });

  it('are listed newest first, page by page, searched by name, and counted', async () => {
    const license = await app.createLicense(ada, { maxMachines: 9 });
    for (const machineName of ['Desk 1', 'Sofa', 'Desk 2', undefined]) {
      const fingerprint = `machine-named-${machineName}`;
      await app.post('/validate/activate', { key: license.key, fingerprint, machineName });
      app.clock.advance({ seconds: 1 });
    }
    const list = async (query: string) =>
      (await app.get(`/licenses/${license._id}/machines?${query}`, ada)).body;
    const first = await list('limit=3&total=true');
    const names = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);
    expect([names(first), first.total]).toEqual([[null, 'Desk 2', 'Sofa'], 4]);
    const next = await list(`limit=3&cursor=${first.nextCursor}`);
    expect([names(next), next.nextCursor]).toEqual([['Desk 1'], null]);
    const found = await list('search=DESK&total=true');
    expect([names(found), found.total]).toEqual([['Desk 2', 'Desk 1'], 2]);
    expectInvalid(await app.get(`/licenses/${license._id}/machines?search=`, ada), 'search');
  });

  it('are found with the licenses they use, by hash or fingerprint', async () => {
    const license = await taken([A, B]);
    const other = await app.addLicense(ada, license.project, { maxMachines: 2 });
    app.clock.advance({ seconds: 1 });
    const { machineId } = (
      await app.post('/validate/activate', { ...other, fingerprint: A, machineName: 'Desk' })
    ).body;
    const find = (query: string) => app.get(`/machines?${query}`, ada);
    const { body } = await find(`machineId=${machineId}`);
    expect(body.data).toMatchObject([
      { machineId, name: 'Desk', activatedAt: after(0), license: { _id: other._id } },
      { machineId, name: null, license: { _id: license._id, key: license.key } },
    ]);
    const pages = [await find(`machineId=${machineId}&limit=1`)];
    pages.push(await find(`machineId=${machineId}&limit=1&cursor=${pages[0]!.body.nextCursor}`));
    expect(pages.flatMap((page) => page.body.data)).toEqual(body.data);
    expect((await find(`fingerprint=${A}&projectId=${license.project}`)).body).toEqual(body);
    const search = async (q: string) => (await app.post('/search', { q }, ada)).body.data;
    const data = await search(machineId);
    expect(await search(machineId.slice(0, 12).toUpperCase())).toEqual(data);
    expect(data).toEqual([
      {
        kind: 'machine',
        _id: other._id,
        title: 'Desk',
        subtitle: expect.stringMatching(/Web shop/),
      },
      {
        ...{ kind: 'machine', _id: license._id },
        title: machineId.slice(0, 12),
        subtitle: expect.any(String),
      },
    ]);
    await app.delete(`/licenses/${other._id}/machines/${machineId}`, ada);
    expect((await find(`machineId=${machineId}`)).body.data).toMatchObject([
      { license: { _id: license._id } },
    ]);
    for (const query of ['', `fingerprint=${A}`, `projectId=${license.project}`]) {
      expectInvalid(await find(query), 'machineId');
    }
  });

  it('move to a replacement that keeps them, so installed software only needs the new key', async () => {
    const license = await taken([A, B], { maxMachines: 2, release: 'self', externalId: 'order-1' });
    await app.issueCertificate(ada, license, { fingerprint: B });
    const before = await read(license);
    app.clock.advance({ seconds: 60 });
    const reissue = (_id: string, body: object) => app.post(`/licenses/${_id}/reissue`, body, ada);
    const { body } = await reissue(license._id, { keepMachines: true });
    const { _id, key, keyHint, createdAt } = body.license;
    expect(body.license).toEqual({
      ...{ ...before, _id, key, keyHint, createdAt, updatedAt: createdAt },
      replaces: license._id,
    });
    expect(body.revoked).toMatchObject({
      ...{ status: 'REVOKED', revokedReason: 'Reissued', machinesCount: 0, externalId: null },
    });
    expect(body.certificateExpiresAt).toBe(after(30 * 86_400 - 60));
    const replacement = { ...license, _id, key };
    expect(await app.validationOf(license, A)).toBe('revoked');
    expect(await app.validationOf(replacement, A)).toBe('active');
    expectError(await app.activate(replacement, C), 'MACHINE_LIMIT_REACHED');
    expect(await machinesOf(license)).toEqual([]);
    expect(await machinesOf(replacement)).toHaveLength(2);
    expect((await release(replacement, A)).status).toBe(200);
    // The next replacement starts without machines.
    const again = (await reissue(_id, {})).body;
    expect(again.license).toMatchObject({ status: 'PENDING', machinesCount: 0 });
    expect(again.revoked.machinesCount).toBe(1);
    for (const term of [{ duration: 1 }, { days: 1 }, { perpetual: true }]) {
      const wrong = await reissue(again.license._id, { keepMachines: true, ...term });
      expectError(wrong, 'INVALID_TERM', {
        details: expect.stringMatching(/^keepMachines/),
      });
    }
    expectInvalid(await reissue(again.license._id, { keepMachines: 'yes' }), 'keepMachines');
  });
});

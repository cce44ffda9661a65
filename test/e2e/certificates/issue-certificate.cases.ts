import { ENGINES } from '../../engines.js';
import { START } from '../../fake-clock.js';
import { atOnce, statusesOf } from '../at-once.js';
import {
  activate,
  createClient,
  createLicense,
  createProject,
  type CreatedLicense,
  logIn,
  validationOf,
} from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';
import { checkOf, DESKTOP, eventsOf, issueCertificate, LAPTOP } from './issue-certificate.js';
import { machineOf, secondsOf, signingKeysOf, verifyCertificate } from './verify-certificate.js';

const DAY = 24 * 60 * 60;

describe.each(ENGINES)('A certificate for a machine without a network, on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  beforeEach(async () => {
    app.clock.set(START);
    Object.assign(ada, await logIn(app, ada));
  });

  const issue = (license: CreatedLicense, fields?: object, headers?: Record<string, string>) =>
    issueCertificate(app, ada, license, fields, headers);
  const verified = async (certificate: string) =>
    verifyCertificate(certificate, await signingKeysOf(app, ada)).claims;
  const read = async ({ _id }: { _id: string }) => (await app.get(`/licenses/${_id}`, ada)).body;
  const typesOf = async (license: CreatedLicense) =>
    (await eventsOf(app, ada, license)).map(({ type }) => type);
  const revoke = ({ _id }: CreatedLicense) => app.post(`/licenses/${_id}/revoke`, {}, ada);

  it('activates a PENDING license for that machine, with both events', async () => {
    const license = await createLicense(app, ada, { duration: 3, services: ['Domain'] });
    app.clock.advance({ seconds: 60.25 });
    const now = app.clock.now().toISOString();
    const response = await issue(license);
    const { certificate, license: activated } = response.body;

    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      message: 'Certificate issued successfully',
      certificate: expect.any(String),
      license: {
        ...license,
        status: 'ACTIVE',
        machineId: expect.stringMatching(/^[0-9a-f]{64}$/),
        ...{ activatedAt: now, issuedAt: now, updatedAt: now },
        expiresAt: '2026-04-30T10:16:00.250Z',
      },
    });
    expect(await read(license)).toEqual(activated);
    const claims = await verified(certificate as string);
    expect(claims).toEqual({
      ...{ iss: ada._id, aud: license.project, sub: license._id, jti: expect.any(String) },
      ...{ iat: secondsOf(now), exp: secondsOf(now) + 30 * DAY },
      machine: machineOf(claims, LAPTOP),
      license: {
        ...{ duration: 3, services: ['Domain'] },
        ...{ activatedAt: now, expiresAt: '2026-04-30T10:16:00.250Z' },
      },
    });
    const event = {
      ...{ _id: expect.any(String), at: now, actor: ada._id, machineId: activated.machineId },
      ...{ reason: null, count: 1, certificateExpiresAt: null },
    };
    expect((await eventsOf(app, ada, license)).slice(0, -1)).toEqual([
      {
        ...event,
        type: 'certificate_issued',
        certificateExpiresAt: new Date(claims.exp * 1000).toISOString(),
      },
      { ...event, type: 'activated' },
    ]);
    expect(await validationOf(app, license, LAPTOP)).toBe('active');
    expect(await validationOf(app, license, DESKTOP)).toBe('machine_mismatch');
  });

  it('does not change a license that is ACTIVE on this machine, and stores one event each', async () => {
    const license = await createLicense(app, ada);
    await activate(app, license, LAPTOP);
    const before = await read(license);
    app.clock.advance({ seconds: 60 });
    const responses = [await issue(license), await issue(license, { days: 1 })];

    expect(statusesOf(responses)).toEqual([201, 201]);
    for (const { body } of responses) expect(body.license).toEqual(before);
    expect(await read(license)).toEqual(before);
    expect(await typesOf(license)).toEqual([
      ...['certificate_issued', 'certificate_issued', 'activated', 'created'],
    ]);
    const ids = await Promise.all(
      responses.map(async ({ body }) => (await verified(body.certificate as string)).jti),
    );
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('names the product as it was sent: the label, or the id of the project', async () => {
    const client = await createClient(app, ada);
    const { license } = await createProject(app, ada, client._id, { product: 'Web-Shop' });
    for (const product of ['Web-Shop', license.project]) {
      const { body } = await issue(license, { product });
      expect((await verified(body.certificate as string)).aud).toBe(product);
    }
  });

  it.each([
    [1, '2026-02-01T10:15:00.000Z'],
    [366, '2027-01-31T10:15:00.000Z'],
    [365, '2027-01-31T10:15:00.000Z'],
    [364, '2027-01-30T10:15:00.000Z'],
  ])('lasts for %i days, but not longer than a license of a year: until %s', async (days, end) => {
    const license = await createLicense(app, ada, { duration: 12 });
    const { body } = await issue(license, { days });
    const [event] = await eventsOf(app, ada, license);

    expect((await verified(body.certificate as string)).exp).toBe(secondsOf(end));
    expect(event).toMatchObject({ type: 'certificate_issued', certificateExpiresAt: end });
  });

  it('lasts for 366 days where the license lasts longer, as after a renewal', async () => {
    const license = await createLicense(app, ada, { duration: 12 });
    await activate(app, license, LAPTOP);
    await app.post(`/licenses/${license._id}/renew`, { duration: 12 }, ada);
    const { body } = await issue(license, { days: 366 });
    const claims = await verified(body.certificate as string);

    expect(claims.exp).toBe(secondsOf(START) + 366 * DAY);
    expect(claims.license.expiresAt).toBe('2028-01-31T10:15:00.000Z');
  });

  it('has at most 4,096 characters for the longest product, fingerprint and terms', async () => {
    const client = await createClient(app, ada);
    const product = 'x'.repeat(64);
    const terms = { duration: 12, services: ['Hosting', 'Domain'] };
    const { license } = await createProject(app, ada, client._id, { ...terms, product });
    const fingerprint = '~'.repeat(256);
    const { body } = await issue(license, { product, fingerprint, days: 366 });
    const claims = await verified(body.certificate as string);

    expect(claims.machine).toBe(machineOf(claims, fingerprint));
  });

  it.each([
    ['as it was computed', (check: string) => check],
    ['in upper case', (check: string) => check.toUpperCase()],
    ['with spaces around it', (check: string) => ` ${check} `],
    ['absent', () => undefined],
    ['null', () => null],
  ])('accepts `check` %s', async (_case, form) => {
    const license = await createLicense(app, ada);
    const check = form(checkOf(license.project, LAPTOP));

    expect((await issue(license, { check })).status).toBe(201);
  });

  it('is issued once for one idempotency key: repeats get the same bytes', async () => {
    const license = await createLicense(app, ada);
    const headers = { 'Idempotency-Key': `certificate of ${license._id}` };
    const responses = await atOnce(10, () => issue(license, {}, headers));
    await revoke(license);
    const late = await issue(license, {}, headers);
    const other = await issue(license, { days: 31 }, headers);

    for (const { status, body } of [...responses, late]) {
      expect(status).toBe(201);
      expect(JSON.stringify(body)).toBe(JSON.stringify(responses[0]!.body));
    }
    expect(other.status).toBe(422);
    expect(await typesOf(license)).toEqual([
      ...['revoked', 'certificate_issued', 'activated', 'created'],
    ]);
  });

  it('goes to exactly one of 20 concurrent machines, to which the license is bound', async () => {
    const license = await createLicense(app, ada);
    const machines = Array.from({ length: 20 }, (_, i) => `machine-number-${i + 10}`);
    const responses = await atOnce(20, (i) => issue(license, { fingerprint: machines[i] }));
    const winner = responses.findIndex(({ status }) => status === 201);

    expect(statusesOf(responses).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
    for (const { status, body } of responses) {
      if (status === 409) expect(body.code).toBe('LICENSE_BOUND_ELSEWHERE');
    }
    const claims = await verified(responses[winner]!.body.certificate as string);
    expect(claims.machine).toBe(machineOf(claims, machines[winner]!));
    expect(await validationOf(app, license, machines[winner])).toBe('active');
    expect(await typesOf(license)).toEqual([...['certificate_issued', 'activated', 'created']]);
  });

  it('goes to each of 20 concurrent requests of one machine, and the first activates', async () => {
    const license = await createLicense(app, ada);
    const responses = await atOnce(20, () => issue(license));
    const types = await typesOf(license);

    expect(statusesOf(responses)).toEqual(Array(20).fill(201));
    expect(types.filter((type) => type === 'activated')).toHaveLength(1);
    expect(types.filter((type) => type === 'certificate_issued')).toHaveLength(20);
  });

  it('binds one machine when it races with activations of others', async () => {
    const license = await createLicense(app, ada);
    const responses = await atOnce(20, (i) =>
      i % 2
        ? issue(license, { fingerprint: `machine-number-${i + 10}` })
        : activate(app, license, `machine-number-${i + 10}`),
    );

    expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
  });
});

import { randomUUID } from 'node:crypto';
import { SigningKeysRepository } from '../../../src/certificates/signing-keys/signing-keys.repository.js';
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
  registerDeveloper,
  unknownKey,
} from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';
import { DESKTOP, LAPTOP } from './issue-certificate.js';
import { machineOf, secondsOf, signingKeysOf, verifyCertificate } from './verify-certificate.js';

const DAY = 24 * 60 * 60;

describe.each(ENGINES)('`certificate: true` of shipped software, on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  beforeEach(() => app.clock.set(START));

  const send = (path: string, { key, project }: CreatedLicense, fields: object = {}) =>
    app.post(path, {
      ...{ key, fingerprint: LAPTOP, product: project, certificate: true },
      ...fields,
    });
  const validate = (license: CreatedLicense, fields?: object) => send('/validate', license, fields);
  const activateFor = (license: CreatedLicense, fields?: object) =>
    send('/validate/activate', license, fields);
  const verified = async (certificate: string) =>
    verifyCertificate(certificate, await signingKeysOf(app, ada)).claims;

  /** The certificate of a license when the session of the developer may have ended. */
  const validateLater = async (license: CreatedLicense) => {
    Object.assign(ada, await logIn(app, ada));
    return (await validate(license)).body.certificate as unknown;
  };

  it('adds a certificate for this machine to both successful activations and to an active validation', async () => {
    const license = await createLicense(app, ada, { duration: 3, services: ['Domain'] });
    app.clock.advance({ seconds: 60 });
    const term = {
      activatedAt: '2026-01-31T10:16:00.000Z',
      expiresAt: '2026-04-30T10:16:00.000Z',
    };
    const first = await activateFor(license);
    app.clock.advance({ seconds: 600.75 });
    const again = await activateFor(license);
    const active = await validate(license);
    const [plainAgain, plainActive] = [
      await activate(app, license, LAPTOP),
      await validate(license, { certificate: undefined }),
    ];

    const { certificate: one, ...rest } = first.body;
    expect(rest).toEqual({
      success: true,
      message: 'License activated successfully',
      machineId: expect.stringMatching(/^[0-9a-f]{64}$/),
      ...term,
    });
    const { certificate: two, ...restOfAgain } = again.body;
    expect(restOfAgain).toEqual(plainAgain.body);
    const { certificate: three, ...restOfActive } = active.body;
    expect(restOfActive).toEqual(plainActive.body);

    const claims = await Promise.all([one, two, three].map(verified));
    const iat = secondsOf(term.activatedAt);
    expect(claims.map((each) => [each.iat, each.exp])).toEqual([
      [iat, iat + 7 * DAY],
      [iat + 600, iat + 600 + 7 * DAY],
      [iat + 600, iat + 600 + 7 * DAY],
    ]);
    for (const each of claims) {
      expect(each).toMatchObject({
        ...{ iss: ada._id, aud: license.project, sub: license._id },
        machine: machineOf(each, LAPTOP),
        license: { duration: 3, services: ['Domain'], ...term },
      });
    }
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(3);
  });

  it('names the product as it was sent: the label, or the id of the project', async () => {
    const client = await createClient(app, ada);
    const product = 'com.example.Web-Shop';
    const { license } = await createProject(app, ada, client._id, { product });
    for (const sent of [product, license.project]) {
      for (const { body } of [
        await activateFor(license, { product: sent }),
        await validate(license, { product: sent }),
      ]) {
        expect((await verified(body.certificate as string)).aud).toBe(sent);
      }
    }
  });

  it('is for one machine and one license', async () => {
    const [one, two] = [await createLicense(app, ada), await createLicense(app, ada)];
    const claims = await verified((await activateFor(one)).body.certificate as string);
    const other = await verified((await activateFor(two)).body.certificate as string);

    expect(claims.machine).toBe(machineOf(claims, LAPTOP));
    expect(claims.machine).not.toBe(machineOf(claims, DESKTOP));
    expect(claims.machine).not.toBe(other.machine);
  });

  it('S15: is not signed by any key of another account, which may sell a product of the same name', async () => {
    const bob = await registerDeveloper(app);
    const [own, foreign] = [await signingKeysOf(app, ada), await signingKeysOf(app, bob)];
    const issued: string[] = [];
    for (const user of [ada, bob]) {
      const client = await createClient(app, user);
      const { license } = await createProject(app, user, client._id, { product: 'same' });
      const { body } = await activateFor(license, { product: 'same' });
      issued.push(body.certificate);
    }
    expect(verifyCertificate(issued[0]!, own).claims.iss).toBe(ada._id);
    expect(verifyCertificate(issued[1]!, foreign).claims.iss).toBe(bob._id);
    expect(() => verifyCertificate(issued[0]!, foreign)).toThrow();
    expect(() => verifyCertificate(issued[1]!, own)).toThrow();
    expect(() => verifyCertificate(issued[1]!, { ...foreign, issuer: ada._id })).toThrow();
  });

  it('ends with the license at the latest, and is none where it would be over as it is issued', async () => {
    app.clock.set('2026-01-31T10:15:00.600Z');
    const license = await createLicense(app, ada, { duration: 1 });
    const { expiresAt } = (await activateFor(license)).body;
    expect(expiresAt).toBe('2026-02-28T10:15:00.600Z');
    const end = secondsOf(expiresAt as string);
    for (const [time, exp] of [
      ['2026-02-21T10:14:59.999Z', end - 1],
      ['2026-02-21T10:15:00.000Z', end],
      ['2026-02-21T10:15:01.000Z', end],
      ['2026-02-28T10:14:59.999Z', end],
    ] as const) {
      app.clock.set(time);
      const claims = await verified((await validateLater(license)) as string);
      expect([time, claims.iat, claims.exp]).toEqual([time, secondsOf(time), exp]);
    }
    app.clock.set('2026-02-28T10:15:00.599Z');
    expect(await validateLater(license)).toBeUndefined();
  });

  it.each(['pending', 'expired', 'revoked', 'machine_mismatch', 'invalid'])(
    'adds nothing to the status %s',
    async (status) => {
      const license = await createLicense(app, ada, { duration: 1 });
      if (status !== 'pending') await activate(app, license, LAPTOP);
      if (status === 'revoked') await app.post(`/licenses/${license._id}/revoke`, {}, ada);
      if (status === 'expired') app.clock.set(license.expiresAt);
      const fields = {
        ...(status === 'machine_mismatch' && { fingerprint: DESKTOP }),
        ...(status === 'invalid' && { key: unknownKey() }),
      };
      const validations = [
        await validate(license, fields),
        await validate(license, { ...fields, certificate: undefined }),
      ];

      expect(validations[0]!.body.status).toBe(status);
      expect(validations[0]!.body).toEqual(validations[1]!.body);
      if (status === 'pending') return;
      const activation = await activateFor(license, fields);
      expect(activation.status).toBe(status === 'invalid' ? 404 : 403);
      expect(activation.body).not.toHaveProperty('certificate');
    },
  );

  it('holds neither the license key, nor the fingerprint, nor the name of the client', async () => {
    const name = `Client ${randomUUID()}`;
    const client = await createClient(app, ada, { name });
    const { license } = await createProject(app, ada, client._id);
    const { certificate } = (await activateFor(license)).body;
    const text = String(certificate)
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join('\n');

    expect(text).toContain(license._id);
    for (const secret of [license.key, license.key.slice(-14), LAPTOP, name, client._id]) {
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });

  it('has at most 4,096 characters for the longest product, fingerprint and terms', async () => {
    const client = await createClient(app, ada, { name: 'x'.repeat(200) });
    const product = 'x'.repeat(64);
    const terms = { duration: 12, services: ['Hosting', 'Domain'] };
    const { license } = await createProject(app, ada, client._id, { ...terms, product });
    const fingerprint = '~'.repeat(256);
    const { certificate } = (await activateFor(license, { product, fingerprint })).body;
    const claims = await verified(certificate as string);

    expect(claims).toMatchObject({ aud: product, machine: machineOf(claims, fingerprint) });
  });

  it('signs for one of 20 machines that activate a license at the same time', async () => {
    const license = await createLicense(app, ada);
    const machines = Array.from({ length: 20 }, (_, i) => `machine-number-${i + 10}`);
    const responses = await atOnce(20, (i) => activateFor(license, { fingerprint: machines[i] }));
    const certified = responses.flatMap(({ body }, i) =>
      body.certificate ? [[body.certificate as string, machines[i]!] as const] : [],
    );

    expect(certified).toHaveLength(1);
    const [[certificate, machine]] = certified as [(typeof certified)[number]];
    const claims = await verified(certificate);
    expect(claims.machine).toBe(machineOf(claims, machine));
    expect(responses.filter(({ status }) => status === 403)).toHaveLength(19);
  });

  it('S16: signs nothing if the license is revoked while its signing key is loaded', async () => {
    const bob = await registerDeveloper(app);
    const license = await createLicense(app, bob);
    await activate(app, license, LAPTOP);
    const repository = app.nest.get(SigningKeysRepository);
    const find = jest.spyOn(repository, 'find').mockImplementationOnce(async () => {
      await app.post(`/licenses/${license._id}/revoke`, {}, bob);
      return null;
    });
    const { body } = await validate(license);
    find.mockRestore();

    expect(body).toEqual({
      ...{ valid: false, status: 'revoked', message: 'License has been revoked' },
    });
  });

  it('leaves the bytes of the specified responses as they were, and creates no keys, if it is absent', async () => {
    const bob = await registerDeveloper(app);
    const client = await createClient(app, bob);
    const { license } = await createProject(app, bob, client._id, { product: 'web-shop' });
    const textOf = async (path: string, fields: object = {}) =>
      JSON.stringify((await send(path, license, { certificate: undefined, ...fields })).body);
    const first = await app.post('/validate/activate', { key: license.key, fingerprint: LAPTOP });
    const term = `"activatedAt":"${START}","expiresAt":"2026-07-31T10:15:00.000Z"`;

    expect(JSON.stringify(first.body)).toBe(
      `{"success":true,"message":"License activated successfully",${term},"machineId":"${first.body.machineId}"}`,
    );
    for (const product of ['web-shop', undefined]) {
      expect(await textOf('/validate/activate', { product })).toBe(
        `{"success":true,"message":"License already activated on this machine",${term}}`,
      );
      expect(await textOf('/validate', { product })).toBe(
        '{"valid":true,"status":"active","message":"License is valid",' +
          `"duration":6,"services":["Hosting"],${term}}`,
      );
    }
    expect((await app.get(`/keys/${bob._id}`)).body).toEqual({ keys: [] });
  });
});

describe.each(ENGINES)('CERTIFICATE_DAYS on %s', (engine) => {
  const app = useApp(engine, { CERTIFICATE_DAYS: '30' });
  const ada = useDeveloper(app);

  it('is how long a certificate is valid, but not longer than the license', async () => {
    const keys = await signingKeysOf(app, ada);
    const iat = secondsOf(START);
    for (const [duration, exp] of [
      [12, iat + 30 * DAY],
      [1, secondsOf('2026-02-28T10:15:00.000Z')],
    ] as const) {
      const { key, project } = await createLicense(app, ada, { duration });
      const check = { key, fingerprint: LAPTOP, product: project, certificate: true };
      const { body } = await app.post('/validate/activate', check);
      expect(verifyCertificate(body.certificate as string, keys).claims.exp).toBe(exp);
    }
  });
});

describe.each(ENGINES)('The first certificates of an account, on %s', (engine) => {
  const app = useApp(engine);

  it('are signed by the same key, 20 at once beside 5 requests of the keys', async () => {
    const ada = await registerDeveloper(app);
    const license = await createLicense(app, ada);
    await activate(app, license, LAPTOP);
    const check = { key: license.key, fingerprint: LAPTOP, product: license.project };
    const [validations, keys] = await Promise.all([
      atOnce(20, () => app.post('/validate', { ...check, certificate: true })),
      atOnce(5, () => app.get('/signing-keys', ada)),
    ]);

    expect(statusesOf([...validations, ...keys])).toEqual(Array(25).fill(200));
    for (const { body } of keys) expect(body).toEqual(keys[0]!.body);
    for (const { body } of validations) {
      const { kid } = verifyCertificate(body.certificate as string, keys[0]!.body);
      expect(kid).toBe(keys[0]!.body.current.kid);
    }
  });
});

import { describeOnMongo, newStore } from '../../engines.js';
import type { TestApp } from '../../app.js';
import { atOnce, statusesOf } from '../at-once.js';
import { activate, createLicense, LAPTOP, registerDeveloper } from '../developer.js';
import { useAppOn } from '../use-app.js';
import { issueCertificate, requestCertificate } from './issue-certificate.js';
import { signingKeysOf, verifyCertificate } from './verify-certificate.js';

/** Only MongoDB has several instances. */
describeOnMongo('Two instances on MongoDB', () => {
  const env = newStore('MongoDB');
  const instances = [useAppOn('MongoDB', env), useAppOn('MongoDB', env)] as const;
  const [one, other] = instances;

  it('create the keys of an account once, rotate them once, sign nothing with the former key after a minute, and S16: nothing after a revocation', async () => {
    const ada = await registerDeveloper(one);
    const license = await createLicense(one, ada);
    await activate(one, license, LAPTOP);
    const validate = (app: TestApp) => requestCertificate(app, '/validate', license);
    /** Which keys sign on an instance. */
    const kidsOn = async (app: TestApp) => {
      const keys = await signingKeysOf(one, ada);
      const issued = [await validate(app), await issueCertificate(app, ada, license)];
      return issued.map(({ body }) => verifyCertificate(body.certificate as string, keys).kid);
    };

    const first = await atOnce(20, (i) =>
      i % 4 < 2 ? validate(instances[i % 2]!) : instances[i % 2]!.get('/signing-keys', ada),
    );
    const keys = await signingKeysOf(other, ada);
    for (const { body } of first) {
      if (!body.certificate) expect(body).toEqual(keys);
      else expect(verifyCertificate(body.certificate as string, keys).kid).toBe(keys.current.kid);
    }

    const body = { current: keys.current.kid };
    const rotations = await atOnce(20, (i) =>
      instances[i % 2]!.post('/signing-keys/rotate', body, ada),
    );
    expect(statusesOf(rotations).sort()).toEqual([200, ...Array<number>(19).fill(409)]);
    const rotated = instances[rotations.findIndex(({ status }) => status === 200) % 2]!;
    const elsewhere = rotated === one ? other : one;
    expect(await kidsOn(rotated)).toEqual([keys.next.kid, keys.next.kid]);
    // Until then, the other one may use the former key, which is still published.
    for (let i = 0; i < 12; i++) {
      elsewhere.clock.advance({ seconds: 5 });
      await validate(elsewhere);
    }
    expect(await kidsOn(elsewhere)).toEqual([keys.next.kid, keys.next.kid]);

    await one.post(`/licenses/${license._id}/revoke`, {}, ada);
    for (const app of instances) {
      expect((await validate(app)).body).toMatchObject({ valid: false, status: 'revoked' });
      expect((await issueCertificate(app, ada, license)).status).toBe(409);
    }
  });
});

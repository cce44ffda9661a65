import { ENGINES, newStore } from '../../engines.js';
import type { TestApp } from '../../app.js';
import { atOnce } from '../at-once.js';
import {
  activate,
  createLicense,
  type CreatedLicense,
  type Developer,
  registerDeveloper,
} from '../developer.js';
import { useApp } from '../use-app.js';
import { LAPTOP } from './issue-certificate.js';
import { signingKeysOf, verifyCertificate } from './verify-certificate.js';

/** Only MongoDB has several instances. */
if (ENGINES.includes('MongoDB')) {
  describe('Two instances on MongoDB', () => {
    const engine = 'MongoDB';
    const env = newStore(engine);
    const instances = [useApp(engine, env), useApp(engine, env)] as const;
    const [one, other] = instances;
    let ada: Developer;
    let license: CreatedLicense;

    beforeEach(async () => {
      ada = await registerDeveloper(one);
      license = await createLicense(one, ada);
      await activate(one, license, LAPTOP);
    });

    const requestCertificate = (app: TestApp) =>
      app.post('/validate', {
        ...{ key: license.key, fingerprint: LAPTOP, product: license.project },
        certificate: true,
      });
    const issueCertificate = (app: TestApp) =>
      app.post(
        `/licenses/${license._id}/certificates`,
        { fingerprint: LAPTOP, product: license.project, days: 1 },
        ada,
      );
    /** Which keys sign on an instance. */
    const kidsOn = async (app: TestApp) => {
      const keys = await signingKeysOf(one, ada);
      const issued = [await requestCertificate(app), await issueCertificate(app)];
      return issued.map(({ body }) => verifyCertificate(body.certificate as string, keys).kid);
    };

    it('create the keys of an account once, for 20 first uses at once', async () => {
      const responses = await atOnce(20, (i) =>
        i % 4 < 2
          ? requestCertificate(instances[i % 2]!)
          : instances[i % 2]!.get('/signing-keys', ada),
      );
      const keys = await signingKeysOf(one, ada);

      expect(await signingKeysOf(other, ada)).toEqual(keys);
      for (const { status, body } of responses) {
        expect(status).toBe(200);
        if (!body.certificate) expect(body).toEqual(keys);
        else expect(verifyCertificate(body.certificate as string, keys).kid).toBe(keys.current.kid);
      }
    });

    it('sign nothing with a rotated key: the one that rotated it at once, the other after a minute', async () => {
      const { current, next } = await signingKeysOf(one, ada);
      for (const app of instances) expect(await kidsOn(app)).toEqual([current.kid, current.kid]);
      const body = { current: current.kid };
      expect((await one.post('/signing-keys/rotate', body, ada)).status).toBe(200);

      expect(await kidsOn(one)).toEqual([next.kid, next.kid]);
      // Until then, the other one may use the former key, which is still published.
      other.clock.advance({ seconds: 60 });
      expect(await kidsOn(other)).toEqual([next.kid, next.kid]);
    });

    it('drop a rotated key within a minute even if they sign every 5 seconds', async () => {
      const { current, next } = await signingKeysOf(one, ada);
      await kidsOn(other);
      await one.post('/signing-keys/rotate', { current: current.kid }, ada);
      for (let i = 0; i < 12; i++) {
        other.clock.advance({ seconds: 5 });
        await requestCertificate(other);
      }

      expect(await kidsOn(other)).toEqual([next.kid, next.kid]);
    });

    it('rotate once for 20 requests at once', async () => {
      const { current, next } = await signingKeysOf(one, ada);
      const responses = await atOnce(20, (i) =>
        instances[i % 2]!.post('/signing-keys/rotate', { current: current.kid }, ada),
      );

      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 409)).toHaveLength(19);
      expect((await signingKeysOf(other, ada)).current).toEqual(next);
    });

    it('give no certificate after a revocation on the other one is acknowledged', async () => {
      for (const app of instances)
        expect((await requestCertificate(app)).body.status).toBe('active');
      await one.post(`/licenses/${license._id}/revoke`, {}, ada);

      for (const app of instances) {
        expect((await requestCertificate(app)).body).toEqual({
          ...{ valid: false, status: 'revoked', message: 'License has been revoked' },
        });
        expect((await issueCertificate(app)).status).toBe(409);
      }
    });
  });
}

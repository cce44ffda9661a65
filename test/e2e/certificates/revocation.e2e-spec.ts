import pLimit from 'p-limit';
import { ENGINES } from '../../engines.js';
import { Random } from '../../random.js';
import { timesInScope } from '../../scope.js';
import { atOnce } from '../at-once.js';
import {
  activate,
  addLicense,
  createLicense,
  type CreatedLicense,
  logIn,
  registerDeveloper,
} from '../developer.js';
import { useApp } from '../use-app.js';
import { LAPTOP } from './issue-certificate.js';
import { secondsOf, signingKeysOf, verifyCertificate } from './verify-certificate.js';

const DAY = 24 * 60 * 60;

const SEEDS = Array.from({ length: 20 }, (_, i) => i);
const ROUNDS = timesInScope(1000) / SEEDS.length;

/** Callers of a license: one validates it, the other issues certificates. */
const CALLERS = 2;
const RACES_AT_ONCE = 4;

describe.each(ENGINES)('S16: certificates beside revocations, on %s', (engine) => {
  const certificateDays = 30;
  const app = useApp(engine, { CERTIFICATE_DAYS: String(certificateDays) });

  it.each(SEEDS)(
    `none of ${ROUNDS} licenses gets one after an acknowledged revocation, and none outlives its license or its days: seed %i`,
    async (seed) => {
      const random = new Random(seed);
      let ada = await registerDeveloper(app);
      const keys = await signingKeysOf(app, ada);
      const { project } = await createLicense(app, ada);
      app.clock.advance({ seconds: random.between(0, 999) / 1000 });
      const licenses: CreatedLicense[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const license = await addLicense(app, ada, project, { duration: random.between(1, 12) });
        const { expiresAt } = (await activate(app, license, LAPTOP)).body;
        licenses.push({ ...license, expiresAt });
      }
      app.clock.advance({ seconds: random.between(0, 40 * DAY * 1000) / 1000 });
      ada = await logIn(app, ada);
      let issued = 0;

      const validate = ({ key }: CreatedLicense) =>
        app.post('/validate', { key, fingerprint: LAPTOP, product: project, certificate: true });
      const issue = ({ _id }: CreatedLicense, days: number) =>
        app.post(
          `/licenses/${_id}/certificates`,
          { fingerprint: LAPTOP, product: project, days },
          ada,
        );

      /** Requests until one was sent after the acknowledgement, and returns the response to that. */
      async function requestUntil(isRevoked: () => boolean, license: CreatedLicense, i: number) {
        for (;;) {
          const isLate = isRevoked();
          const days = i % 2 ? random.between(1, 366) : certificateDays;
          const { body } = await (i % 2 ? issue(license, days) : validate(license));
          if (isLate) return body as { status?: string; code?: string; certificate?: string };
          if (body.certificate) {
            const { claims } = verifyCertificate(body.certificate as string, keys);
            const end = Math.min(claims.iat + days * DAY, secondsOf(license.expiresAt));
            expect(claims.exp).toBe(end);
            issued += 1;
          }
        }
      }

      async function race(license: CreatedLicense) {
        let isRevoked = false;
        const callers = atOnce(CALLERS, (i) => requestUntil(() => isRevoked, license, i));
        for (let tick = random.between(0, 5); tick > 0; tick--) await new Promise(setImmediate);
        expect((await app.post(`/licenses/${license._id}/revoke`, {}, ada)).status).toBe(200);
        isRevoked = true;
        return callers;
      }

      const late = (await pLimit(RACES_AT_ONCE).map(licenses, race)).flat();

      expect(late).toHaveLength(ROUNDS * CALLERS);
      expect(late.filter(({ certificate }) => certificate !== undefined)).toEqual([]);
      expect(new Set(late.map(({ status, code }) => status ?? code))).toEqual(
        new Set(['revoked', 'LICENSE_ALREADY_REVOKED']),
      );
      expect(issued).toBeGreaterThan(ROUNDS / 2);
    },
  );
});

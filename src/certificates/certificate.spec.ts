import { generateKeyPairSync } from 'node:crypto';
import { aLicense, aProject } from '../../test/builders.js';
import type { License } from '../licenses/license.js';
import { signCertificate } from './certificate.js';

const ISSUER = '665f1c2ab7e4a90012345678';
const NOW = new Date('2026-01-31T10:15:00.000Z');

const shifted = (milliseconds: number, from = NOW) => new Date(from.getTime() + milliseconds);

const license = (fields: Partial<License> = {}): License =>
  aLicense(aProject(), {
    status: 'ACTIVE',
    activatedAt: shifted(-1),
    expiresAt: new Date('2026-07-31T10:15:00.123Z'),
    duration: 6,
    // Renewed, but `duration` stays as issued.
    termMonths: 18,
    ...fields,
  });

const REQUEST = { product: 'com.example.Web-Shop', fingerprint: 'fingerprint-of-machine-1' };
const { privateKey } = generateKeyPairSync('ed25519');
const SIGNER = { issuer: ISSUER, kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', privateKey };

const NAMES = { licensee: 'Acme Ltd', plan: null };
const sign = (fields: Partial<License> = {}, now = NOW, leaseEndsAt: Date | null = null) =>
  signCertificate({ license: license(fields), names: NAMES }, REQUEST, 7, leaseEndsAt, SIGNER, now);

const claimsOf = (certificate: string) =>
  JSON.parse(Buffer.from(certificate.split('.')[1]!, 'base64url').toString()) as {
    license: { licensee: string; plan?: string };
  };

describe('a certificate', () => {
  it('never outlives its license or lease, at any millisecond of a second', () => {
    for (let now = 0; now < 1_000; now += 37) {
      for (let left = 1; left < 2_000; left += 83) {
        const issued = shifted(now);
        const end = shifted(left, issued);
        // In the same second, the certificate would already be expired when issued.
        const isTooLate = Math.floor(+end / 1000) === Math.floor(+issued / 1000);
        for (const signed of [sign({ expiresAt: end }, issued), sign({}, issued, end)]) {
          expect(signed === null).toBe(isTooLate);
          if (!signed) continue;
          const [iat, exp] = [issued, end].map((time) => Math.floor(+time / 1000));
          expect(claimsOf(signed.certificate)).toMatchObject({
            iat,
            exp,
            license: { duration: 6 },
          });
          expect(signed.endsAt).toEqual(new Date(exp! * 1000));
        }
      }
    }
  });

  it('stays within 4,096 characters with the longest fields', () => {
    const longest = { product: 'x'.repeat(64), fingerprint: 'x'.repeat(256) };
    const expiresAt = new Date('9999-12-31T23:59:59.999Z');
    const entitlements = Array.from({ length: 30 }, (_, index) => `${index}`.padStart(63, 'x'));
    expect(JSON.stringify(entitlements).length).toBeGreaterThan(1_980);
    const most = license({ duration: 12, leaseSeconds: 86_400, entitlements, expiresAt });
    const licensee = '🚀"'.repeat(100);
    const named = { license: most, names: { licensee, plan: 'Team' } };
    const { certificate } = signCertificate(named, longest, 366, null, SIGNER, NOW)!;
    expect(certificate.length).toBeLessThanOrEqual(4_096);
    const { license: of } = claimsOf(certificate);
    expect(of.plan).toBe('Team');
    expect(of.licensee).toMatch(/^(🚀"){20,99}🚀?…$/u);
    const whole = { license: license(), names: { licensee, plan: licensee } };
    const other = signCertificate(whole, longest, 366, null, SIGNER, NOW)!;
    expect(claimsOf(other.certificate).license).toMatchObject({ licensee, plan: licensee });
  });
});

import { generateKeyPairSync } from 'node:crypto';
import { aLicense, aProject } from '../../test/builders.js';
import type { License } from '../licenses/license.js';
import { claimsOf, endOf, signCertificate } from './certificate.js';

const ISSUER = '665f1c2ab7e4a90012345678';
const LICENSE = '775f1c2ab7e4a90012345678';
const FINGERPRINT = 'fingerprint-of-machine-1';
const NOW = new Date('2026-01-31T10:15:00.000Z');
const NOW_S = 1_769_854_500;
const DAY_S = 86_400;

const shifted = (milliseconds: number, from = NOW) => new Date(from.getTime() + milliseconds);

const license = (fields: Partial<License> = {}): License =>
  aLicense(aProject(), {
    _id: LICENSE,
    status: 'ACTIVE',
    activatedAt: shifted(-1),
    expiresAt: new Date('2026-07-31T10:15:00.123Z'),
    duration: 6,
    // Renewed: `duration` stays as issued.
    termMonths: 18,
    services: ['Hosting', 'Domain'],
    ...fields,
  });

const request = { product: 'com.example.Web-Shop', fingerprint: FINGERPRINT, days: 7 };

const claims = (fields: Partial<License> = {}, days = 7, now = NOW) =>
  claimsOf(license(fields), ISSUER, { ...request, days }, now)!;

describe('the claims of a certificate', () => {
  it('are those of the contract, and no others', () => {
    expect(claims()).toStrictEqual({
      iss: ISSUER,
      aud: 'com.example.Web-Shop',
      sub: LICENSE,
      jti: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
      iat: NOW_S,
      exp: NOW_S + 7 * DAY_S,
      machine: 'kN-qRYxNl-HhNr4uy53udDhNZbIjiSnYo4od1oDupPA',
      license: {
        expiresAt: '2026-07-31T10:15:00.123Z',
        activatedAt: '2026-01-31T10:14:59.999Z',
        duration: 6,
        services: ['Hosting', 'Domain'],
        entitlements: [],
      },
    });
  });

  it('end with a license that ends before them, never later, at any millisecond of a second', () => {
    for (let now = 0; now < 1_000; now += 37) {
      for (let left = 1; left < 2_000; left += 41) {
        const issued = shifted(now);
        const expiresAt = shifted(left, issued);
        const made = claimsOf(license({ expiresAt }), ISSUER, request, issued);
        // The same second: the certificate would be over when it is issued.
        const isTooLate = Math.floor(+expiresAt / 1000) === Math.floor(+issued / 1000);
        expect(made === null).toBe(isTooLate);
        if (!made) continue;
        const ended = endOf(made);
        expect(made.exp).toBeGreaterThan(made.iat);
        expect(ended.getTime()).toBeLessThanOrEqual(expiresAt.getTime());
        expect(ended.getTime()).toBeGreaterThan(expiresAt.getTime() - 1_000);
      }
    }
  });
});

it('a certificate has at most 4,096 characters with the longest fields', () => {
  const longest = { product: 'x'.repeat(64), fingerprint: 'x'.repeat(256), days: 366 };
  const expiresAt = new Date('9999-12-31T23:59:59.999Z');
  const entitlements = Array.from({ length: 30 }, (_, index) => `${index}`.padStart(63, 'x'));
  expect(JSON.stringify(entitlements).length).toBeGreaterThan(1_980);
  const most = { duration: 12, leaseSeconds: 86_400, entitlements };
  const signed = claimsOf(license({ ...most, expiresAt }), ISSUER, longest, NOW)!;
  const { privateKey } = generateKeyPairSync('ed25519');
  const kid = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
  const certificate = signCertificate(signed, { issuer: ISSUER, kid, privateKey });
  expect(certificate.length).toBeLessThanOrEqual(4_096);
});

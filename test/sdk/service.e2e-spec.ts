import { randomUUID } from 'node:crypto';
import { License } from '../../sdk/node/src/license.js';
import type { LicenseOptions } from '../../sdk/node/src/options.js';
import type { PublicJwk } from '../../sdk/node/src/signing-keys.js';
import type { CreatedLicense, Developer } from '../e2e/developer.js';
import { NO_LIMITS } from '../no-limits.js';
import { type RunningService, useOperator } from '../smoke/operator.js';
import { NOWHERE } from './customer.js';
import { PRODUCT } from './issuer.js';
import { describeSdks, LANGUAGES } from './languages.js';
import type { Result, Status } from './runner-process.js';

describe('The built service', () => {
  const operator = useOperator(NO_LIMITS);
  let service: RunningService;
  let developer: Developer;
  let license: CreatedLicense;
  let options: LicenseOptions;

  beforeAll(async () => {
    // A build blocks this process, and the service would close an idle connection meanwhile.
    for (const { missing, build } of LANGUAGES) if (!missing) build();
    service = await operator.start();
    developer = await service.register();
  });

  beforeEach(async () => {
    license = await service.createLicense(developer, { product: PRODUCT });
    options = {
      ...{ service: service.url, product: PRODUCT, folder: operator.path(randomUUID()) },
      fingerprint: `fingerprint-${randomUUID()}`,
      ...(await signingKeys(developer)),
    };
  });

  const signingKeys = async (account: Developer) => {
    const { issuer, current, next } = (await service.get('/signing-keys', account)).body as {
      issuer: string;
      current: PublicJwk;
      next: PublicJwk;
    };
    return { issuer, keys: [current, next] };
  };
  const offline = () => ({ ...options, service: NOWHERE });
  const valid = { state: 'valid', services: ['Hosting'], entitlements: [], reason: null };

  // The scenarios test more of these requests and responses.
  describeSdks('and the SDK', (runner) => {
    /** Calls methods of a license, one after the other, in a program that has just started. */
    const call = async (given: LicenseOptions, ...calls: string[][]) => {
      const now = Date.now() / 1000;
      // Long enough for a busy machine.
      await runner().start(now, { ...given, timeout: 60_000 });
      const results: Result[] = [];
      for (const [method, argument] of calls) {
        results.push(await runner().call(now, method!, argument));
      }
      return results;
    };

    it('activates at the first start, and runs while the service is down', async () => {
      const [none, activated] = await call(options, ['status'], ['activate', license.key]);
      expect(none).toMatchObject({ returns: { state: 'none' } });
      expect(activated).toMatchObject({ returns: valid });
      const kept = activated!.returns as Status;
      const unreachable = { returns: { ...kept, reason: 'no_response' } };
      const results = await call(offline(), ['status'], ['refresh'], ['status']);
      expect(results).toEqual([{ returns: kept }, unreachable, unreachable]);
    });

    it('derives the same fingerprint for this machine', async () => {
      const ofMachine = { ...options, fingerprint: undefined };
      const returns = new License(ofMachine).request();
      expect(await call(ofMachine as LicenseOptions, ['request'])).toEqual([{ returns }]);
    });

    it('refreshes the certificate, and stops a revoked license, even offline', async () => {
      await call(options, ['activate', license.key]);
      expect(await call(options, ['refresh'])).toMatchObject([{ returns: valid }]);
      await service.post(`/licenses/${license._id}/revoke`, {}, developer);
      const revoked = { returns: { state: 'revoked', reason: 'rejected' } };
      expect(await call(options, ['refresh'])).toMatchObject([revoked]);
      expect(await call(offline(), ['status'])).toMatchObject([revoked]);
    });

    it('S15, S18: accepts no key for another product, and no certificate of another account', async () => {
      const cheap = { ...options, product: 'com.example.cheap' };
      const foreign = { ...options, ...(await signingKeys(await service.register())) };
      for (const [given, code] of [
        [cheap, 'unknown_key'],
        [foreign, 'bad_certificate'],
      ] as const) {
        expect(await call(given, ['activate', license.key])).toMatchObject([{ throws: { code } }]);
      }
    });
  });
});

import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import type { LicenseOptions } from '../../sdk/node/src/options.js';
import type { PublicJwk } from '../../sdk/node/src/signing-keys.js';
import { type CreatedLicense, type Developer, PASSWORD } from '../e2e/developer.js';
import { NO_LIMITS } from '../no-limits.js';
import { Operator } from '../smoke/operator.js';
import type { RunningService } from '../smoke/running-service.js';
import { LANGUAGES } from './languages.js';
import { describeSdks, type Status } from './sdk-program.js';

const PRODUCT = 'com.example.web-shop';
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1';
const DAY = 86_400_000;

describe('The built service and', () => {
  const operator = new Operator(NO_LIMITS);
  let service: RunningService;
  let developer: Developer;
  let license: CreatedLicense;
  let options: LicenseOptions;

  beforeAll(async () => {
    // Before there is a connection, which the service would close during a build that blocks this process.
    for (const { missing, build } of LANGUAGES) if (!missing) build();
    service = await operator.start();
    developer = await service.register();
  });
  afterAll(() => operator.leave());

  beforeEach(async () => {
    license = await service.createLicense(developer, { product: PRODUCT });
    options = { ...(await machine()), ...(await signingKeys(developer)) };
  });

  const machine = async () => ({
    service: service.url,
    product: PRODUCT,
    folder: operator.path(randomUUID()),
    fingerprint: `fingerprint-${randomUUID()}`,
  });
  const signingKeys = async (account: Developer) => {
    const { issuer, current, next } = (await service.get('/signing-keys', account)).body as {
      issuer: string;
      current: PublicJwk;
      next: PublicJwk;
    };
    return { issuer, keys: [current, next] };
  };
  const change = async (path: string, body: object) => {
    const response = await service.post(path, body, developer);
    expect([200, 201]).toContain(response.status);
    return response.body as { certificate: string; license: CreatedLicense };
  };
  const offline = () => ({ ...options, service: NOWHERE });
  const valid = { state: 'valid', services: ['Hosting'], entitlements: [], reason: null };

  describeSdks('the SDK', LANGUAGES, (drive) => {
    it('activate at the first start, and run while the service is down', async () => {
      const [none, activated] = await drive(options, ['status'], ['activate', license.key]);
      expect(none).toMatchObject({ state: 'none' });
      expect(activated).toMatchObject(valid);
      const { until } = activated as Status;
      expect(Math.abs(Date.parse(String(until)) - Date.now() - 7 * DAY)).toBeLessThan(DAY / 24);

      const [before, refreshed, after] = await drive(
        offline(),
        ['status'],
        ['refresh'],
        ['status'],
      );
      expect(before).toEqual({ ...valid, until });
      expect(refreshed).toEqual({ ...valid, until, reason: 'no_response' });
      expect(after).toEqual(refreshed);
    });

    it('refresh the certificate, and end a revoked license, offline too', async () => {
      await drive(options, ['activate', license.key]);
      expect(await drive(options, ['refresh'])).toEqual([expect.objectContaining(valid)]);
      await change(`/licenses/${license._id}/revoke`, {});
      const revoked = expect.objectContaining({ state: 'revoked', reason: 'rejected' }) as Status;
      expect(await drive(options, ['refresh'])).toEqual([revoked]);
      expect(await drive(offline(), ['status'])).toEqual([revoked]);
      // Another key heals.
      const other = await service.createLicense(developer, { product: PRODUCT });
      expect(await drive(options, ['activate', other.key])).toEqual([
        expect.objectContaining(valid),
      ]);
    });
  });

  // For the other languages, the scenarios have the same requests and responses.
  describeSdks('the SDK, too,', LANGUAGES.slice(0, 1), (drive) => {
    it('run on no other machine, whether its state is copied or its key', async () => {
      await drive(options, ['activate', license.key]);
      const other = { ...options, ...(await machine()) };
      fs.cpSync(options.folder, other.folder, { recursive: true });
      const [copied] = await drive(other, ['status']);
      expect(copied).toMatchObject({ state: 'other_machine' });
      const third = { ...options, ...(await machine()) };
      const [activated, status] = await drive(third, ['activate', license.key], ['status']);
      expect(activated).toEqual({ error: 'other_machine' });
      expect(status).not.toMatchObject({ state: 'valid' });
    });

    it('S15, S18: accept no key of another product, and no certificate of another account', async () => {
      const cheap = { ...options, product: 'com.example.cheap' };
      expect(await drive(cheap, ['activate', license.key])).toEqual([{ error: 'unknown_key' }]);
      const stranger = await service.register();
      const foreign = { ...options, ...(await signingKeys(stranger)) };
      const [activated] = await drive(foreign, ['activate', license.key]);
      expect(activated).toEqual({ error: 'bad_certificate' });
    });

    it('go on after a rotation of the signing keys, and need new builds after two', async () => {
      await drive(options, ['activate', license.key]);
      const rotate = async () => {
        const { keys } = await signingKeys(developer);
        const { kid: current } = keys[0] as PublicJwk & { kid: string };
        await change('/signing-keys/rotate', { current, password: PASSWORD });
      };
      await rotate();
      expect(await drive(options, ['refresh'])).toEqual([expect.objectContaining(valid)]);
      await rotate();
      const [refreshed] = await drive(options, ['refresh']);
      expect(refreshed).toMatchObject({ state: 'valid', reason: 'bad_certificate' });
      const update = { ...options, ...(await signingKeys(developer)) };
      expect(await drive(update, ['refresh'])).toEqual([expect.objectContaining(valid)]);
    });

    it('license a machine without a network for the rest of its license', async () => {
      const [request] = await drive(offline(), ['request']);
      const body = { ...(JSON.parse(request as string) as object), days: 366 };
      const { certificate, license: issued } = await change(
        `/licenses/${license._id}/certificates`,
        body,
      );
      const [installed, status] = await drive(offline(), ['install', certificate], ['status']);
      expect(installed).toMatchObject(valid);
      const { until } = installed as Status;
      // Claims are whole seconds.
      const rest = Date.parse(issued.expiresAt) - Date.parse(String(until));
      expect(rest).toBeGreaterThanOrEqual(0);
      expect(rest).toBeLessThan(1000);
      expect(status).toEqual(installed);

      const copy = { ...offline(), ...(await machine()), service: NOWHERE };
      expect(await drive(copy, ['install', certificate])).toEqual([{ error: 'machine' }]);
    });
  });
});

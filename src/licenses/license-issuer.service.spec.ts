import { at } from '../../test/builders/time.js';
import type { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { toAccountId } from '../shared/ids/account-id.js';
import type { License } from './license.js';
import { LicenseIssuer } from './license-issuer.service.js';
import { LicenseKeyService } from './license-key.service.js';

const keys = new LicenseKeyService(
  { keyPrefix: 'LIC' } as Config,
  new DataKeys(Buffer.alloc(96, 1)),
);
const PROJECT = '4'.repeat(24);
const ISSUE = {
  duration: 6,
  services: ['Hosting'] as const,
  user: toAccountId('2'.repeat(24)),
  client: '3'.repeat(24),
  project: PROJECT,
  product: 'web-shop',
  replaces: null,
};

/** Issues a license into a store that returns `key_collision` this often, and then the given result. */
function issue<T>(collisions: number, then: T, fields = ISSUE) {
  const offered: License[] = [];
  const outcome = new LicenseIssuer(keys).issue(fields, at(0), async (license) => {
    offered.push(license);
    return offered.length > collisions ? then : 'key_collision';
  });
  return { offered, outcome };
}

describe('LicenseIssuer', () => {
  it('stores a PENDING license of these terms, with a key of its project that can be revealed', async () => {
    const { offered, outcome } = issue(0, 'stored');
    expect(await outcome).toBe('stored');
    expect(offered).toHaveLength(1);
    const [license] = offered as [License];
    expect(license).toMatchObject({ ...ISSUE, status: 'PENDING', createdAt: at(0), termMonths: 6 });
    const key = keys.reveal(license);
    expect(key).toContain(`LIC-${PROJECT}-`);
    expect(license.keyHash).toBe(keys.hash(key.toUpperCase()));
  });

  it('copies only the fields from which a new license is issued', async () => {
    const old = { _id: '9'.repeat(24), status: 'REVOKED', keyHash: 'old', machineId: 'machine 1' };
    const { offered, outcome } = issue(0, 'stored', { ...old, ...ISSUE });
    await outcome;
    expect(offered[0]).toMatchObject({ status: 'PENDING', machineId: null });
    expect(offered[0]?._id).not.toBe(old._id);
    expect(offered[0]?.keyHash).not.toBe('old');
  });

  it('tries another id and key after each of two collisions', async () => {
    const { offered, outcome } = issue(2, 'stored');
    expect(await outcome).toBe('stored');
    expect(offered).toHaveLength(3);
    expect(new Set(offered.map(({ _id }) => _id)).size).toBe(3);
    expect(new Set(offered.map((license) => keys.reveal(license))).size).toBe(3);
  });

  it('fails after three keys with an unexpected error', async () => {
    const { offered, outcome } = issue(3, 'stored');
    await expect(outcome).rejects.toThrow('No unique license key in 3 attempts');
    await expect(outcome).rejects.not.toBeInstanceOf(DomainError);
    expect(offered).toHaveLength(3);
  });

  it.each(['project_not_found', null, undefined])(
    'returns the result of the store at once: %p',
    async (result) => {
      const { offered, outcome } = issue(0, result);
      expect(await outcome).toBe(result);
      expect(offered).toHaveLength(1);
    },
  );

  it('rethrows an error of the store without another attempt', async () => {
    let attempts = 0;
    const issued = new LicenseIssuer(keys).issue(ISSUE, at(0), async () => {
      attempts++;
      throw new Error('the disk is full');
    });
    await expect(issued).rejects.toThrow('the disk is full');
    expect(attempts).toBe(1);
  });
});

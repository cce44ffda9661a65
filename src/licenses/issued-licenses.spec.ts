import { at } from '../../test/builders/time.js';
import type { Config } from '../shared/config/config.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { toAccountId } from '../shared/ids/account-id.js';
import { activated, revoked } from './license-transitions.js';
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

describe('LicenseKeyService.issue', () => {
  it('issues a PENDING license of these terms, with a key of its project that can be revealed', () => {
    const license = keys.issue(ISSUE, at(0));
    expect(license).toMatchObject({ ...ISSUE, status: 'PENDING', createdAt: at(0), termMonths: 6 });
    const key = keys.reveal(license);
    expect(key).toContain(`LIC-${PROJECT}-`);
    expect(license.keyHash).toBe(keys.hash(key.toUpperCase()));
  });

  it('takes nothing but its terms from a license that it replaces', () => {
    const first = keys.issue(ISSUE, at(0));
    const old = revoked(activated(first, 'machine 1', at(1)), 'Contract ended', at(2));
    const license = keys.issue({ ...old, replaces: old._id }, at(9));
    expect(license).toEqual({
      ...keys.issue(ISSUE, at(9)),
      _id: expect.not.stringMatching(old._id) as string,
      keyHash: expect.not.stringMatching(old.keyHash) as string,
      sealedKey: expect.any(String) as string,
      replaces: old._id,
    });
  });

  it('gives each license an id and a key of its own', () => {
    const [one, other] = [keys.issue(ISSUE, at(0)), keys.issue(ISSUE, at(0))];
    expect(one._id).not.toBe(other._id);
    expect(keys.reveal(one)).not.toBe(keys.reveal(other));
  });
});

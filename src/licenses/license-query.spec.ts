import { newAccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { chooseIndex } from '../storage/choose-index.js';
import { readFilter } from '../storage/filter.js';
import { type LicenseQuery, toFilter } from './license-query.js';
import { LICENSE_STATUSES, LICENSES } from './license.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const ORDER = { sort: 'createdAt', order: 'desc' } as const;

const indexFor = (query: Partial<LicenseQuery>) => {
  const whole = { ...ORDER, ...query };
  const filter = readFilter(toFilter(newAccountId(), whole, NOW));
  return chooseIndex(LICENSES, filter, whole.sort)?.join();
};

describe('a list of licenses', () => {
  it('has a declared index for every combination of filters and sorts', () => {
    for (const sort of ['createdAt', 'expiresAt'] as const) {
      for (const status of [undefined, ...LICENSE_STATUSES]) {
        for (const client of [undefined, newObjectId()]) {
          for (const project of [undefined, newObjectId()]) {
            for (const product of [undefined, 'shop']) {
              for (const expiresBefore of [undefined, NOW]) {
                const query = { sort, status, client, project, product, expiresBefore };
                expect(indexFor(query)).toContain(sort);
              }
            }
          }
        }
      }
    }
  });

  it.each<[Partial<LicenseQuery>, string]>([
    [{}, 'user,createdAt,_id'],
    [{ sort: 'expiresAt' }, 'user,expiresAt,_id'],
    [{ status: 'PENDING' }, 'user,status,createdAt,_id'],
    [{ status: 'EXPIRED', sort: 'expiresAt' }, 'user,status,expiresAt,_id'],
    [{ product: 'shop', status: 'ACTIVE' }, 'user,product,createdAt,_id'],
    [{ product: 'shop', sort: 'expiresAt' }, 'user,product,expiresAt,_id'],
    [{ client: newObjectId(), product: 'shop' }, 'client,createdAt,_id'],
    [
      { project: newObjectId(), status: 'ACTIVE', sort: 'expiresAt' },
      'project,status,expiresAt,_id',
    ],
    [{ project: newObjectId(), client: newObjectId() }, 'project,createdAt,_id'],
  ])('reads %j by the narrowest index', (query, index) => {
    expect(indexFor(query)).toBe(index);
  });
});

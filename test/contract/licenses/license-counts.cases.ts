import type { LicenseCounts } from '../../../src/dashboard/dashboard.js';
import type { CountQuery } from '../../../src/dashboard/dashboard.repository.js';
import type { License } from '../../../src/licenses/license.js';
import { type AccountId, newAccountId } from '../../../src/shared/ids/account-id.js';
import { activeUntil } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { useStore } from '../use-store.js';

const NOW = at(100);
const shifted = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);

const NOTHING: LicenseCounts = {
  pending: 0,
  active: 0,
  expired: 0,
  revoked: 0,
  expiringBy: [],
  activations: [],
};

describe.each(engines)('the counts of licenses on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  const count = (user: AccountId, query: Partial<CountQuery> = {}) =>
    store.dashboard.countLicenses(user, {
      now: NOW,
      expiringBy: [],
      activatedSince: at(1_000_000),
      ...query,
    });

  /** A user who has these licenses. */
  const userWith = async (licenses: Partial<License>[]): Promise<AccountId> => {
    const { project } = await stored.project(undefined, {}, licenses[0]);
    for (const fields of licenses.slice(1)) await stored.licenseOf(project, fields);
    return project.owner;
  };

  it('are all zero for a user who has none', async () => {
    await userWith([activeUntil(at(200))]);
    const query = { expiringBy: [at(150), at(300)], activatedSince: at(0) };
    expect(await count(newAccountId(), query)).toStrictEqual({ ...NOTHING, expiringBy: [0, 0] });
  });

  it('count each by its status now, as expired from the end of its term', async () => {
    const revoked = { status: 'REVOKED', revokedAt: at(50) } as const;
    const user = await userWith([
      { expiresAt: at(50) },
      { expiresAt: at(200) },
      activeUntil(at(50)),
      activeUntil(shifted(NOW, -1)),
      activeUntil(NOW),
      activeUntil(shifted(NOW, 1)),
      activeUntil(at(200)),
      { ...activeUntil(at(50)), ...revoked },
      { ...activeUntil(at(200)), ...revoked },
      { expiresAt: at(50), ...revoked },
    ]);
    const both = { pending: 2, revoked: 3, expiringBy: [], activations: [] };
    expect(await count(user)).toStrictEqual({ ...both, active: 2, expired: 3 });
    expect(await count(user, { now: shifted(NOW, -1) })).toStrictEqual({
      ...both,
      active: 3,
      expired: 2,
    });
    expect(await count(user, { now: shifted(NOW, 1) })).toStrictEqual({
      ...both,
      active: 1,
      expired: 4,
    });
  });

  it('count as expiring by a time those that are active now and end at or before that time', async () => {
    const by = at(150);
    const user = await userWith([
      activeUntil(NOW),
      activeUntil(shifted(NOW, 1)),
      activeUntil(shifted(by, -1)),
      activeUntil(by),
      activeUntil(shifted(by, 1)),
      { expiresAt: by },
      { ...activeUntil(by), status: 'REVOKED' },
    ]);
    const times = [at(0), NOW, shifted(NOW, 1), shifted(by, -1), by, shifted(by, 1), at(1_000)];
    const { expiringBy } = await count(user, { expiringBy: times });
    expect(expiringBy).toStrictEqual([0, 0, 1, 2, 3, 4, 4]);
    const reversed = await count(user, { expiringBy: times.toReversed() });
    expect(reversed.expiringBy).toStrictEqual(expiringBy.toReversed());
  });

  it('count the activations of each day (UTC) from a time on, of expired and revoked licenses too', async () => {
    const activated = (time: string): Partial<License> => ({
      ...activeUntil(at(1_000)),
      activatedAt: new Date(time),
    });
    const user = await userWith([
      {},
      activated('2026-01-30T23:59:59.999Z'),
      activated('2026-01-31T00:00:00.000Z'),
      { ...activated('2026-01-31T12:00:00.000Z'), expiresAt: at(1) },
      { ...activated('2026-01-31T23:59:59.999Z'), status: 'REVOKED', revokedAt: at(50) },
      activated('2026-02-01T00:00:00.000Z'),
      activated('2026-02-28T23:59:59.999Z'),
      activated('2028-02-29T00:00:00.000Z'),
    ]);
    const since = async (time: string) => {
      const { activations } = await count(user, { activatedSince: new Date(time) });
      return activations.map(({ date, count }) => `${date}: ${count}`);
    };
    const later = ['2026-02-01: 1', '2026-02-28: 1', '2028-02-29: 1'];
    expect(await since('2026-01-01T00:00:00.000Z')).toStrictEqual([
      '2026-01-30: 1',
      '2026-01-31: 3',
      ...later,
    ]);
    expect(await since('2026-01-31T00:00:00.000Z')).toStrictEqual(['2026-01-31: 3', ...later]);
    expect(await since('2026-01-31T00:00:00.001Z')).toStrictEqual(['2026-01-31: 2', ...later]);
    expect(await since('2026-02-01T00:00:00.000Z')).toStrictEqual(later);
    expect(await since('2030-01-01T00:00:00.000Z')).toStrictEqual([]);
  });

  it('change when a license is activated', async () => {
    const { user } = await stored.activeLicense();
    const counts = await count(user, { now: at(3), activatedSince: at(0) });
    expect(counts).toStrictEqual({
      ...NOTHING,
      active: 1,
      activations: [{ date: '2026-01-31', count: 1 }],
    });
  });
});

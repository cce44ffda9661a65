import { aClient } from '../../test/builders/client.builder.js';
import { anEvent } from '../../test/builders/event.builder.js';
import { aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { at } from '../../test/builders/time.js';
import { FakeClock } from '../../test/fake-clock.js';
import { type PageRequest, pageOf } from '../shared/pagination/page.js';
import type { License } from './license.js';
import { byTime, expiredEvent, type LicenseEvent } from './license-event.js';
import type { LicenseEventsRepository } from './license-events.repository.js';
import { LicenseEventsService } from './license-events.service.js';

/** The events of one license, in memory. */
const repositoryOf = (stored: LicenseEvent[]) =>
  ({
    list: async (_license: string, { limit, after }: PageRequest) => {
      const rest = stored.filter(
        ({ at: time, _id }) =>
          !after || time < after.time || (+time === +after.time && _id < after._id),
      );
      return pageOf(rest.sort(byTime), limit, ({ at: time, _id }) => ({ time, _id }));
    },
    listTermEnds: async () => stored.flatMap(({ termEndedAt }) => termEndedAt ?? []),
  }) as unknown as LicenseEventsRepository;

const clock = new FakeClock();
clock.set(at(100).toISOString());

const active = (expiresAt: Date, fields: Partial<License> = {}) =>
  aLicense(aProject(aClient()), { status: 'ACTIVE', activatedAt: at(2), expiresAt, ...fields });

async function read(license: License, stored: LicenseEvent[], limit: number) {
  const service = new LicenseEventsService(repositoryOf(stored), clock);
  const pages: (readonly LicenseEvent[])[] = [];
  for (let after: PageRequest['after']; ;) {
    const { data, next } = await service.list(license, { limit, after });
    pages.push(data);
    // A list that never ends must fail, not hang.
    if (!next || pages.length > 20) return pages;
    after = next;
  }
}

describe('LicenseEventsService', () => {
  const license = active(at(90));
  const [created, activated, rejected] = [
    anEvent(license, 'created', { at: at(1) }),
    anEvent(license, 'activated', { at: at(2) }),
    anEvent(license, 'activation_refused', { at: at(95) }),
  ];
  const renewed = (minutes: number, termEndedAt: Date | null) =>
    anEvent(license, 'renewed', { at: at(minutes), termEndedAt });

  it('includes the end of the term once it has come', async () => {
    const [page] = await read(license, [created, activated, rejected], 20);
    expect(page).toEqual([rejected, expiredEvent(license._id, at(90)), activated, created]);
  });

  it('includes the end of every term that was followed by a renewal, and of the last term', async () => {
    const events = [
      created,
      activated,
      renewed(20, at(10)),
      renewed(40, at(30)),
      renewed(50, null),
    ];
    const [page] = await read(license, events, 20);
    expect(page?.map(({ type, at: time }) => [type, time])).toEqual([
      ['expired', at(90)],
      ['renewed', at(50)],
      ['renewed', at(40)],
      ['expired', at(30)],
      ['renewed', at(20)],
      ['expired', at(10)],
      ['activated', at(2)],
      ['created', at(1)],
    ]);
  });

  it.each([
    ['has not ended', active(at(101))],
    ['was revoked before its end', active(at(90), { status: 'REVOKED', revokedAt: at(80) })],
    ['was never activated', aLicense(aProject(aClient()), { expiresAt: at(90) })],
  ])('includes no end of a license that %s', async (_what, other) => {
    const [page] = await read(other, [created], 20);
    expect(page).toEqual([created]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'lists each event once in pages of %i, whether stored or derived',
    async (limit) => {
      const events = [created, activated, renewed(20, at(10)), renewed(40, at(30)), rejected];
      const [whole] = await read(license, events, 20);
      expect(whole).toHaveLength(8);
      const pages = await read(license, events, limit);
      expect(pages.flat().map(({ _id }) => _id)).toEqual(whole?.map(({ _id }) => _id));
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      expect(pages).toHaveLength(Math.ceil(8 / limit));
    },
  );

  it.each(['0', 'f'])('breaks ties between stored and derived events by id: %s', async (digit) => {
    const stored = { ...renewed(90, at(90)), _id: digit.repeat(24) };
    const both = [stored, expiredEvent(license._id, at(90))].sort(byTime);
    for (const limit of [1, 2, 20]) {
      const pages = await read({ ...license, expiresAt: at(101) }, [stored], limit);
      expect(pages.flat().map(({ _id }) => _id)).toEqual(both.map(({ _id }) => _id));
    }
  });
});

import { activeUntil, aLicense, aProject, at } from '../../test/builders.js';
import { START } from '../../test/fake-clock.js';
import { beforeEachCommit } from '../../test/before-next-commit.js';
import { mostAtOnce } from '../../test/most-at-once.js';
import { useServices } from '../../test/services.js';
import { EVENTS } from '../events/event.js';
import { CONCURRENCY } from '../jobs/job.js';
import { type Project, PROJECTS } from '../projects/project.js';
import { addDays } from '../shared/time/calendar.js';
import { remove, touch } from '../storage/changes.js';
import { ExpiryNotices } from './expiry-notices.job.js';
import { activated, renewed, resumed, revoked, suspended } from './license-transitions.js';
import { LICENSES } from './license.js';
import { NO_END, nextNotice } from './term.js';
import { dailyLicenseEvent } from './license-events.js';

describe('The next notice', () => {
  const NOW = new Date(START);
  const inDays = (days: number) => addDays(NOW, days);
  const PENDING = aLicense(aProject(), { duration: null, days: 60 });
  const ACTIVE = activated(PENDING, NOW);

  it.each([
    [60, 0, 30],
    [60, 30, 53],
    [60, 53, 59],
    [60, 59, 60],
    [60, 60, null],
    [14, 0, 7],
    [1, 0, 1],
  ])('for a term of %i days, after day %i, is on day %p', (days, day, notice) => {
    const license = { ...ACTIVE, expiresAt: inDays(days) };
    expect(nextNotice(license, inDays(day))).toEqual(notice === null ? null : inDays(notice));
  });

  it('does not exist for a perpetual license, or one that was never activated', () => {
    const perpetual = { ...PENDING, duration: null, days: null };
    expect(activated(perpetual, NOW).nextNoticeAt).toBeNull();
    expect(PENDING.nextNoticeAt).toBeNull();
  });

  it.each([
    ['skips notices that became due in the meantime', inDays(30), 55, inDays(59)],
    ['keeps the notice of an expiry in the meantime', inDays(30), 70, inDays(60)],
    ['plans no notice of an expiry that was already announced', null, 70, null],
  ])('after a resumption %s', (_what, before, day, after) => {
    const paused = suspended({ ...ACTIVE, nextNoticeAt: before }, null, inDays(20));
    expect(resumed(paused, inDays(day)).nextNoticeAt).toEqual(after);
  });
});

describe('The stored events of a license', () => {
  const services = useServices();
  const { store, clock, the, put, stored, add, change, addLicense, beforeNextCommit } = services;
  const other = useServices(services);
  let project: Project;
  let end: Date;
  beforeEach(async () => {
    project = await add(PROJECTS, aProject());
    end = addDays(clock.now(), 20);
  });

  const addActive = () =>
    addLicense(project, { ...activeUntil(end), nextNoticeAt: addDays(end, -7) });
  const step = () => the(ExpiryNotices).step();
  const runOnDay = (day: number) => {
    clock.set(addDays(end, day).toISOString());
    return step();
  };
  const outline = () => store.all(EVENTS).map(({ type, at, data }) => [type, at, data.days ?? 0]);

  it('contain each notice once, at its own time, however late, on any number of instances', async () => {
    await addActive();
    await runOnDay(-7.01);
    expect(outline()).toEqual([]);
    await runOnDay(-6.9);
    await Promise.all([step(), other.the(ExpiryNotices).step()]);
    await runOnDay(3);
    await Promise.all([step(), step(), other.the(ExpiryNotices).step()]);
    expect(outline()).toEqual([
      ['license.expiring', addDays(end, -7), 7],
      ['license.expiring', addDays(end, -1), 1],
      ['license.expired', end, 0],
    ]);
    expect(store.all(EVENTS)[2]).toMatchObject({
      ...{ storedAt: addDays(end, 3), actorType: 'system', data: { expiresAt: end } },
    });
  });

  it('contain notices about the end of updates, and about a fixed expiry date before any activation', async () => {
    const updates = { updatesUntil: end, nextUpdatesNoticeAt: addDays(end, -1) };
    await addLicense(project, { ...activeUntil(NO_END), ...updates });
    await addLicense(project, { endIsFixed: true, expiresAt: end, nextNoticeAt: end });
    await runOnDay(0);
    expect(outline().toSorted()).toEqual([
      ['license.expired', end, 0],
      ['license.updates_expiring', addDays(end, -1), 1],
    ]);
    await runOnDay(9);
    expect(outline()).toHaveLength(2);
  });

  it('contain no notice for a revoked or suspended license', async () => {
    const [gone, paused] = [await addActive(), await addActive()];
    await change(LICENSES, gone, revoked(gone, null, end));
    await change(LICENSES, paused, suspended(paused, null, end));
    await runOnDay(-6);
    expect(outline()).toEqual([]);
  });

  it('contain no notice for a license whose project was deleted, without waiting for its removal', async () => {
    const deleted = await add(PROJECTS, aProject());
    const fields = { ...activeUntil(end), nextNoticeAt: addDays(end, -8) };
    // The number of licenses that a step reads.
    for (let added = 0; added < 100; added++) await addLicense(deleted, fields);
    await put(remove(PROJECTS, deleted));
    // Its licenses change constantly.
    beforeEachCommit(store, ...store.all(LICENSES).map(({ _id }) => touch(LICENSES, _id)));
    const { _id: subject } = await addActive();
    expect(await runOnDay(-6)).toBe(true);
    expect(await step()).toBe(false);
    expect(store.all(EVENTS)).toMatchObject([{ type: 'license.expiring', subject }]);
  });

  it('contain the notices of an account before those of another with too many for one step', async () => {
    for (let added = 0; added < 101; added++) await addActive();
    const { _id: subject } = await addLicense(await add(PROJECTS, aProject()), {
      ...{ ...activeUntil(end), nextNoticeAt: addDays(end, -6) },
    });
    expect(await runOnDay(-6)).toBe(true);
    expect(store.all(EVENTS)).toMatchObject([{ subject }]);
    const most = mostAtOnce(store);
    while (await step());
    expect(store.all(EVENTS)).toHaveLength(102);
    expect(most()).toBe(CONCURRENCY);
  });

  it('contain no notice if a renewal came first', async () => {
    const license = await addActive();
    const longer = renewed(license, { length: { duration: 1, days: null } }, end);
    beforeNextCommit(() => change(LICENSES, license, longer));
    await runOnDay(-6);
    expect(outline()).toEqual([]);
    const after = await stored(LICENSES, license);
    expect(after.nextNoticeAt).toEqual(nextNotice(after, end));
  });

  it('count repeated rejections by reason and day, with the first and last time', async () => {
    const [license, other] = [await addLicense(project), await addLicense(project)];
    const reject = async (minutes: number, reason = 'revoked', of = license) => {
      const details = { data: { reason } };
      await put(
        await dailyLicenseEvent(store, 'activation_rejected', of, reason, at(minutes), details),
      );
    };
    for (const minutes of [0, 30, 20]) await reject(minutes);
    await reject(40, 'expired');
    await reject(40, 'revoked', other);
    await reject(24 * 60);
    expect(store.all(EVENTS)).toMatchObject([
      { subject: license._id, at: at(0), lastAt: at(30), count: 3, data: { reason: 'revoked' } },
      { subject: license._id, at: at(40), lastAt: null, count: 1, data: { reason: 'expired' } },
      { subject: other._id, count: 1 },
      { subject: license._id, at: at(24 * 60), lastAt: null, count: 1 },
    ]);
  });
});

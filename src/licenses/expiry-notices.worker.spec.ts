import { activeUntil } from '../../test/builders/license.builder.js';
import { LicenseServices } from '../../test/license-services.js';
import type { Project } from '../projects/project.js';
import { addDays } from '../shared/time/days.js';
import { replace } from '../storage/changes.js';
import { ExpiryNotices } from './expiry-notices.worker.js';
import { nextNotice } from './expiry-notices.js';
import { renewed, revoked, suspended } from './license-transitions.js';
import { type License, LICENSES } from './license.js';

describe('ExpiryNotices', () => {
  let services: LicenseServices;
  let notices: ExpiryNotices;
  let project: Project;
  let end: Date;
  beforeEach(async () => {
    services = new LicenseServices();
    notices = new ExpiryNotices(
      services.store,
      services.events,
      services.decisions,
      services.clock,
    );
    project = await services.project();
    end = addDays(services.clock.now(), 20);
  });

  const add = (fields: Partial<License> = {}) => {
    const term = activeUntil(end);
    const nextNoticeAt = addDays(end, -7);
    return services.license(project, { ...term, nextNoticeAt, ...fields });
  };
  const runOnDay = (day: number) => {
    services.clock.set(addDays(end, day).toISOString());
    return notices.step();
  };
  const change = async ({ _id }: License, to: (license: License) => License) => {
    const before = (await services.store.find(LICENSES, { _id }))!;
    await services.put(replace(LICENSES, before, to(before)));
  };
  const outlineOf = (license: License) =>
    services.eventsOf(license).map(({ type, at, data }) => [type, at, data.days ?? 0]);

  it('stores each once, at its own time, however late and by however many instances', async () => {
    const license = await add();
    const other = new ExpiryNotices(
      services.store,
      services.events,
      services.decisions,
      services.clock,
    );
    await runOnDay(-7.01);
    expect(outlineOf(license)).toEqual([]);
    await runOnDay(-6.9);
    await Promise.all([notices.step(), other.step()]);
    await runOnDay(3);
    for (let times = 0; times < 3; times++) await Promise.all([notices.step(), other.step()]);
    expect(outlineOf(license)).toEqual([
      ['license.expiring', addDays(end, -7), 7],
      ['license.expiring', addDays(end, -1), 1],
      ['license.expired', end, 0],
    ]);
    expect(services.eventsOf(license)[2]).toMatchObject({
      ...{ storedAt: addDays(end, 3), actorType: 'system', data: { expiresAt: end } },
    });
  });

  it('stores none of a license that is revoked or suspended, and none where its project was deleted', async () => {
    const [gone, paused] = [await add(), await add()];
    await change(gone, (license) => revoked(license, null, end));
    await change(paused, (license) => suspended(license, end));
    await runOnDay(-6);
    const left = await add();
    await services.delete(project);
    expect(await notices.step()).toBe(false);
    expect([gone, paused, left].flatMap(outlineOf)).toEqual([]);
  });

  it('lets a renewal that is faster win', async () => {
    const license = await add();
    services.beforeNextCommit(() =>
      change(license, (before) => renewed(before, { duration: 1, days: null }, end)),
    );
    await runOnDay(-6);
    expect(outlineOf(license)).toEqual([]);
    const after = (await services.store.find(LICENSES, { _id: license._id }))!;
    expect(after.nextNoticeAt).toEqual(nextNotice(after, end));
  });
});

import { activeUntil } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { useServices } from '../../test/services.js';
import { EVENTS } from '../events/event.js';
import { type Project, PROJECTS } from '../projects/project.js';
import { addDays } from '../shared/time/days.js';
import { remove } from '../storage/changes.js';
import { ExpiryNotices } from './expiry-notices.worker.js';
import { nextNotice } from './expiry-notices.js';
import { renewed, revoked, suspended } from './license-transitions.js';
import { LICENSES } from './license.js';

describe('ExpiryNotices', () => {
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

  it('stores each once, at its own time, however late and by however many instances', async () => {
    await addActive();
    await runOnDay(-7.01);
    expect(outline()).toEqual([]);
    await runOnDay(-6.9);
    await Promise.all([step(), other.the(ExpiryNotices).step()]);
    await runOnDay(3);
    for (let times = 0; times < 3; times++) {
      await Promise.all([step(), other.the(ExpiryNotices).step()]);
    }
    expect(outline()).toEqual([
      ['license.expiring', addDays(end, -7), 7],
      ['license.expiring', addDays(end, -1), 1],
      ['license.expired', end, 0],
    ]);
    expect(store.all(EVENTS)[2]).toMatchObject({
      ...{ storedAt: addDays(end, 3), actorType: 'system', data: { expiresAt: end } },
    });
  });

  it('stores none of a license that is revoked or suspended, and none where its project was deleted', async () => {
    const [gone, paused] = [await addActive(), await addActive()];
    await change(LICENSES, gone, revoked(gone, null, end));
    await change(LICENSES, paused, suspended(paused, end));
    await runOnDay(-6);
    // As many as a step reads: they stay due until they are removed.
    for (let added = 0; added < 100; added++) await addActive();
    await put(remove(PROJECTS, project));
    expect(await step()).toBe(false);
    expect(outline()).toEqual([]);
  });

  it('lets a renewal that is faster win', async () => {
    const license = await addActive();
    const longer = renewed(license, { duration: 1, days: null }, end);
    beforeNextCommit(() => change(LICENSES, license, longer));
    await runOnDay(-6);
    expect(outline()).toEqual([]);
    const after = await stored(LICENSES, license);
    expect(after.nextNoticeAt).toEqual(nextNotice(after, end));
  });
});

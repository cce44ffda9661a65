import { activeUntil, aLicense } from '../../test/builders/license.builder.js';
import { at } from '../../test/builders/time.js';
import { ProjectServices } from '../../test/project-services.js';
import { type License, LICENSES } from '../licenses/license.js';
import { insert, touch } from '../storage/changes.js';
import { type Project, PROJECTS } from './project.js';
import { PROJECT_TASKS } from './project-task.js';

const HAS_ACTIVE = { code: 'PROJECT_HAS_ACTIVE_LICENSES' };
const NOW = at(5);

describe('deleting a project', () => {
  let world: ProjectServices;
  beforeEach(async () => void (world = await ProjectServices.create()));

  const remove = ({ _id }: Project) => world.projects.delete(_id, world.account);

  it('removes it with its licenses, counts them no more, and leaves the rest to a task', async () => {
    const { project } = await world.create();
    await world.add(project);
    const kept = await world.create();
    await remove(project);
    expect(world.store.all(PROJECTS).map(({ _id }) => _id)).toEqual([kept.project._id]);
    expect(world.store.all(LICENSES).map(({ _id }) => _id)).toEqual([kept.license._id]);
    expect(world.store.all(PROJECT_TASKS)).toMatchObject([
      { project: project._id, accountId: world.account, work: 'remove', createdAt: NOW },
    ]);
    expect(await world.counts()).toEqual([1, 1, 1]);
  });

  it.each<[string, Partial<License>]>([
    ['PENDING, though its term is not over', { expiresAt: at(6) }],
    ['EXPIRED this very moment', activeUntil(NOW)],
    ['REVOKED, though its term is not over', { ...activeUntil(at(6)), status: 'REVOKED' }],
  ])('accepts a license that is %s', async (_status, fields) => {
    const { project } = await world.create();
    await world.add(project, fields);
    await remove(project);
    expect(world.store.all(PROJECTS)).toEqual([]);
  });

  it('is rejected while a license is ACTIVE, unless those are deleted, too', async () => {
    const { project } = await world.create();
    await world.add(project, activeUntil(new Date(NOW.getTime() + 1)));
    await expect(remove(project)).rejects.toMatchObject(HAS_ACTIVE);
    expect(world.store.all(LICENSES)).toHaveLength(2);
    expect(await world.counts()).toEqual([1, 1, 2]);
    await world.projects.delete(project._id, world.account, true);
    expect(world.store.all(LICENSES)).toEqual([]);
    expect(await world.counts()).toEqual([0, 0, 0]);
  });

  it('is rejected where a license becomes ACTIVE meanwhile', async () => {
    const { project } = await world.create();
    const active = aLicense(project, activeUntil(at(9)));
    world.beforeNextCommit(() => world.put(touch(PROJECTS, project._id), insert(LICENSES, active)));
    await expect(remove(project)).rejects.toMatchObject(HAS_ACTIVE);
    expect(world.store.all(PROJECT_TASKS)).toEqual([]);
  });

  it('includes a license that is added meanwhile', async () => {
    const { project } = await world.create();
    world.beforeNextCommit(() => world.add(project));
    await remove(project);
    expect(world.store.all(LICENSES)).toEqual([]);
    expect(await world.counts()).toEqual([0, 0, 0]);
  });

  it('happens once for 5 concurrent requests', async () => {
    const { project } = await world.create();
    const deleted = await Promise.allSettled(Array.from({ length: 5 }, () => remove(project)));
    expect(deleted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(world.store.all(PROJECT_TASKS)).toHaveLength(1);
    expect(await world.counts()).toEqual([0, 0, 0]);
  });
});

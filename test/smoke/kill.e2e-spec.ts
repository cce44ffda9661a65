import { setTimeout } from 'node:timers/promises';
import { LICENSES } from '../../src/licenses/license.js';
import { PROJECT_TASKS } from '../../src/projects/project-task.js';
import { type CreatedLicense, LAPTOP, type LoggedInDeveloper, PASSWORD } from '../e2e/developer.js';
import { contentOf } from '../e2e/stored-content.js';
import { withStore } from '../with-store.js';
import { type RunningService, useOperator } from './operator.js';

/** More than a step of the deletion removes. */
const MANY = 2_000;

describe('A service that is killed right after a response, and started again', () => {
  const operator = useOperator();
  let service: RunningService;
  let ada: LoggedInDeveloper;
  let license: CreatedLicense;
  let deleted: CreatedLicense;
  let stored: string;

  beforeAll(async () => {
    const killed = await operator.start();
    ada = await killed.register();
    [license, deleted] = [await killed.createLicense(ada), await killed.createLicense(ada)];
    await killed.addLicenses(ada, deleted.project, MANY);
    const activation = await killed.activate(license, LAPTOP);
    const deletion = await killed.delete(`/projects/${deleted.project}`, ada);
    await killed.end('SIGKILL');
    expect([activation.body.success, deletion.status]).toEqual([true, 204]);
    const { tasks, licenses } = await left();
    expect(tasks).toBe(1);
    expect(licenses).toBeGreaterThan(0);
    stored = contentOf(operator.path('data'));

    service = await operator.start();
  });

  /** What is left to remove of the deleted project. */
  const left = () =>
    withStore({ DATA_DIR: operator.path('data') }, async (store) => ({
      tasks: await store.count(PROJECT_TASKS, {}),
      licenses: await store.count(LICENSES, { project: deleted.project }),
    }));

  it('has the account with its session, and the license with its client, project and machine', async () => {
    const { refreshToken } = ada;
    const [account, client, project] = await Promise.all([
      service.get('/auth/me', ada),
      service.get(`/clients/${license.client}`, ada),
      service.get(`/projects/${license.project}`, ada),
    ]);

    expect([account.body.email, client.status, project.status]).toEqual([ada.email, 200, 200]);
    expect((await service.post('/auth/refresh', { refreshToken })).status).toBe(200);
    expect(await service.validationOf(license, LAPTOP)).toBe('active');
    expect(await service.validationOf(license)).toBe('machine_mismatch');
  });

  it('has deleted a project at once, and removes its licenses, during which it was killed', async () => {
    const { data } = (await service.get('/licenses', ada)).body;
    expect(data).toMatchObject([{ _id: license._id }]);
    expect(await service.validationOf(deleted)).toBe('invalid');
    while ((await left()).tasks > 0) await setTimeout(50);
    expect((await left()).licenses).toBe(0);
  });

  it('has stored no secret in clear', () => {
    expect(stored).toContain(ada.email);
    for (const secret of [license.key, PASSWORD, ada.token, ada.refreshToken, LAPTOP]) {
      expect(stored).not.toContain(secret);
    }
  });
});

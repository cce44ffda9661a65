import { setTimeout } from 'node:timers/promises';
import { LAPTOP, PASSWORD } from '../e2e/developer.js';
import { contentOf } from '../e2e/stored-content.js';
import { useOperator } from './operator.js';

/** More than a deletion removes in one step. */
const MANY = 500;

describe('A service killed right after a response, and restarted', () => {
  const operator = useOperator();

  it('has everything it acknowledged, no secret in plain text, and continues pending deletions', async () => {
    const killed = await operator.start();
    const ada = await killed.register();
    const [license, deleted] = [await killed.createLicense(ada), await killed.createLicense(ada)];
    await killed.addLicenses(ada, deleted.project, MANY);
    const deletion = await killed.delete(`/projects/${deleted.project}`, ada);
    const activation = await killed.activate(license, LAPTOP);
    await killed.end('SIGKILL');
    expect([activation.body.success, deletion.status]).toEqual([true, 204]);
    const stored = contentOf(operator.path('data'));
    expect(stored).toContain(ada.email);
    for (const secret of [license.key, PASSWORD, ada.token, ada.refreshToken, LAPTOP]) {
      expect(stored).not.toContain(secret);
    }

    const service = await operator.start();
    expect((await service.get('/auth/me', ada)).body.email).toBe(ada.email);
    expect((await service.get(`/clients/${license.client}`, ada)).status).toBe(200);
    expect((await service.get(`/projects/${license.project}`, ada)).status).toBe(200);
    expect((await service.get(`/projects/${deleted.project}`, ada)).status).toBe(404);
    expect((await service.get('/licenses', ada)).body.data).toMatchObject([{ _id: license._id }]);
    expect(await service.validationOf(license, LAPTOP)).toBe('active');
    expect(await service.validationOf(license)).toBe('machine_mismatch');
    expect(await service.validationOf(deleted)).toBe('invalid');
    expect((await service.refresh(ada)).status).toBe(200);
    const removals = async () => {
      const { body } = await service.get('/events.ndjson?type=license.deleted', ada);
      return (body as string).split('\n').length - 1;
    };
    while ((await removals()) <= MANY) await setTimeout(50);
  });
});

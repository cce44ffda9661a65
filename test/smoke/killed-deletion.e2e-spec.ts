import { setTimeout } from 'node:timers/promises';
import { DeletionStore } from '../deletion-store.js';
import { createLicense, registerDeveloper } from '../e2e/developer.js';
import { ENGINES, newStore, SECRETS } from '../engines.js';
import { Operator } from './operator.js';

const LICENSES = 3_000;

describe.each(ENGINES)(
  'A service on %s that is killed amid the deletion of a project',
  (engine) => {
    const env = { ...SECRETS, ...newStore(engine) };
    const operator = new Operator(env);
    afterAll(() => operator.leave());

    it('has deleted it at once, and removes its licenses once it is started again', async () => {
      const store = new DeletionStore({ ...env, DATA_DIR: operator.path('data') });
      const first = await operator.start();
      const developer = await registerDeveloper(first);
      const license = await createLicense(first, developer);
      await first.end('SIGTERM');
      await store.fill(license.project, LICENSES - 1);

      const killed = await operator.start();
      const { status } = await killed.delete(`/projects/${license.project}`, developer);
      await killed.end('SIGKILL');
      expect(status).toBe(204);
      expect(await store.count(license.project)).toBeGreaterThan(0);
      expect(await store.isRemoving()).toBe(true);

      const service = await operator.start();
      const list = await service.get('/licenses', developer);
      const check = await service.post('/validate', { key: license.key });
      expect([list.body.data, check.body.status]).toEqual([[], 'invalid']);
      while (await store.isRemoving()) await setTimeout(50);
      expect(await store.count(license.project)).toBe(0);
    });
  },
);

import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { at } from '../../builders/time.js';
import { IDEMPOTENT_WRITES } from '../idempotent-writes.js';
import { engines } from '../engines.js';
import { activationOf } from '../port-arguments.js';
import type { Step } from '../store-under-test.js';
import { useStore } from '../use-store.js';

describe.each(engines)('a write that fails half way on $name', ({ name, open }) => {
  const { store, stored } = useStore(open);

  const expectFailure = (step: Step, write: () => Promise<unknown>) =>
    store.whileFailing(step, () => expect(write()).rejects.toThrow());

  describe.each(IDEMPOTENT_WRITES)('$name', ({ steps, prepare }) => {
    it.each(steps)('leaves nothing behind, and can be done afterwards: %s', async (step) => {
      const idempotency = anIdempotencyRecord();
      const write = await prepare(store);
      const before = await stored.counts();
      await expectFailure(step, () => write(idempotency));
      expect(await stored.counts()).toStrictEqual(before);
      expect(await store.contradictions()).toStrictEqual([]);
      expect(await store.idempotency.find(idempotency._id, at(0))).toBeNull();

      const result = await write(idempotency);
      expect(result).toEqual(expect.any(Object));
      expect(await store.idempotency.find(idempotency._id, at(0))).toMatchObject({ result });
    });
  });

  // On MongoDB it is one statement, which commits by itself.
  const stepsOfActivation: Step[] =
    name === 'MongoDB' ? ['license'] : ['license', 'event', 'commit'];
  it.each(stepsOfActivation)(
    'licenses.activate leaves the license unbound, and can be done afterwards: %s',
    async (step) => {
      const license = await stored.license();
      const before = await stored.counts();
      const activate = () => store.licenses.activate(...activationOf(license));
      await expectFailure(step, activate);
      expect(await stored.find(license)).toStrictEqual(license);
      expect(await stored.counts()).toStrictEqual(before);
      expect(await activate()).toMatchObject({ status: 'ACTIVE' });
    },
  );

  it.each(['client', 'project', 'totals', 'commit'] as const)(
    'projects.deleteWithLicenses keeps everything, and can be done afterwards: %s',
    async (step) => {
      const { project, license } = await stored.project();
      const licenses = [license, await stored.licenseOf(project)];
      const before = await stored.counts();
      const remove = () => store.projects.deleteWithLicenses(project._id, project.owner, at(9));
      await expectFailure(step, remove);
      expect(await stored.counts()).toStrictEqual(before);
      for (const each of licenses) expect(await stored.find(each)).toStrictEqual(each);
      expect(await remove()).toBe('deleted');
    },
  );

  it.each(['license', 'event'] as const)(
    'deletedLicenses.removeSome removes nothing, and can be done afterwards: %s',
    async (step) => {
      const { project } = await stored.project();
      expect(await store.projects.deleteWithLicenses(project._id, project.owner, at(9))).toBe(
        'deleted',
      );
      const before = await stored.counts();
      await expectFailure(step, () => store.deletedLicenses.removeSome());
      expect(await stored.counts()).toStrictEqual(before);
      await store.removeDeleted();
      expect(await stored.counts()).not.toStrictEqual(before);
    },
  );

  it.each(['client', 'totals'] as const)(
    'clients.deleteWithoutProjects keeps the client, and can be done afterwards: %s',
    async (step) => {
      const client = await stored.client();
      const remove = () => store.clients.deleteWithoutProjects(client._id, client.owner);
      await expectFailure(step, remove);
      expect(await store.clients.findOwned(client._id, client.owner)).toStrictEqual(client);
      expect(await remove()).toBe('deleted');
    },
  );
});

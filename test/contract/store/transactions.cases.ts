import { anEvent } from '../../builders/event.builder.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { anActivation } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { IDEMPOTENT_WRITES } from '../idempotent-writes.js';
import { engines } from '../engines.js';
import type { CreationStep, Kept, StoreUnderTest } from '../store-under-test.js';
import type { Stored } from '../stored.js';
import { useStore } from '../use-store.js';

const RECORDS: Kept[] = [
  'clients',
  'projects',
  'licenses',
  'license_events',
  'idempotency_records',
];

describe.each(engines)('a write that fails half way on $name', ({ open, creationSteps }) => {
  let store: StoreUnderTest;
  let stored: Stored;
  useStore(open, (...opened) => ([store, stored] = opened));

  const counts = () => Promise.all(RECORDS.map((kept) => store.count(kept)));
  const failing = async (step: CreationStep, write: () => Promise<unknown>) => {
    const heal = await store.failAt(step);
    try {
      await expect(write()).rejects.toThrow();
    } finally {
      await heal();
    }
  };

  describe.each(IDEMPOTENT_WRITES)('$name', ({ steps, prepare }) => {
    it.each(steps.filter((step) => creationSteps.includes(step)))(
      'leaves nothing behind, and can be done afterwards: %s',
      async (step) => {
        const idempotency = anIdempotencyRecord();
        const write = await prepare(store);
        const before = await counts();
        await failing(step, () => write(idempotency));
        expect(await counts()).toStrictEqual(before);
        expect(await store.contradictions()).toStrictEqual([]);
        expect(await store.idempotency.find(idempotency._id, at(0))).toBeNull();

        const result = await write(idempotency);
        expect(result).toEqual(expect.any(Object));
        expect(await store.idempotency.find(idempotency._id, at(0))).toMatchObject({ result });
      },
    );
  });

  it.each(creationSteps.filter((step) => ['license', 'event', 'commit'].includes(step)))(
    'licenses.activate leaves the license unbound, and can be done afterwards: %s',
    async (step) => {
      const license = await stored.license();
      const before = await counts();
      const activate = () =>
        store.licenses.activate(
          license._id,
          anActivation('machine 1'),
          anEvent(license, 'activated'),
        );
      await failing(step, activate);
      expect(await store.licenses.findByKeyHash(license.keyHash)).toStrictEqual(license);
      expect(await counts()).toStrictEqual(before);
      expect(await activate()).toMatchObject({ status: 'ACTIVE' });
    },
  );

  it.each(creationSteps.filter((step) => step !== 'idempotency'))(
    'projects.deleteWithLicenses keeps everything, and can be done afterwards: %s',
    async (step) => {
      const { project, license } = await stored.project();
      const licenses = [license, await stored.licenseOf(project)];
      const before = await counts();
      const remove = () => store.projects.deleteWithLicenses(project._id, project.owner, at(9));
      await failing(step, remove);
      expect(await counts()).toStrictEqual(before);
      for (const { keyHash, ...rest } of licenses) {
        expect(await store.licenses.findByKeyHash(keyHash)).toStrictEqual({ keyHash, ...rest });
      }
      expect(await remove()).toBe('deleted');
    },
  );

  it.each(creationSteps.filter((step) => ['client', 'totals'].includes(step)))(
    'clients.deleteWithoutProjects keeps the client, and can be done afterwards: %s',
    async (step) => {
      const client = await stored.client();
      const remove = () => store.clients.deleteWithoutProjects(client._id, client.owner);
      await failing(step, remove);
      expect(await store.clients.findOwned(client._id, client.owner)).toStrictEqual(client);
      expect(await remove()).toBe('deleted');
    },
  );
});

import { EVENTS } from '../src/events/event.js';
import { LICENSES } from '../src/licenses/license.js';
import { PROJECT_TASKS } from '../src/projects/project-task.js';
import { PROJECTS } from '../src/projects/project.js';
import { newObjectId } from '../src/shared/ids/object-id.js';
import { TOTALS } from '../src/shared/quotas/account-totals.js';
import { increment, insert } from '../src/storage/changes.js';
import type { WritableStore } from '../src/storage/writable-store.js';
import { withStore } from './with-store.js';

/** Licenses that are stored by one commit. */
const BATCH_SIZE = 500;

/** Direct access to the store of a built service, for tests of large deletions. */
export class DeletionStore {
  /** @param env as the service has it */
  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** Copies the only license of a project, with its event. */
  fill(project: string, copies: number): Promise<void> {
    const fill = async (store: WritableStore) => {
      const [license] = await store.list(LICENSES, { project }, OLDEST, { limit: 1 });
      const { _id, user } = license!;
      const ofLicense = { accountId: user, subject: _id };
      const [event] = await store.list(EVENTS, ofLicense, FIRST, { limit: 1 });
      for (let left = copies; left > 0; left -= BATCH_SIZE) {
        const ids = Array.from({ length: Math.min(left, BATCH_SIZE) }, newObjectId);
        const added = { licensesCount: ids.length };
        await store.commit([
          increment(PROJECTS, project, added),
          increment(TOTALS, user, added),
          ...ids.map((_id) =>
            insert(LICENSES, { ...license!, _id, keyHash: `copy ${_id}`, seatsOf: _id }),
          ),
          ...ids.map((subject) => insert(EVENTS, { ...event!, _id: newObjectId(), subject })),
        ]);
      }
    };
    return withStore(this.env, fill);
  }

  /** The number of licenses of a project that are stored, deleted or not. */
  count(project: string): Promise<number> {
    return withStore(this.env, (store) => store.count(LICENSES, { project }));
  }

  /** Whether licenses of a deleted project are still stored. */
  isRemoving(): Promise<boolean> {
    return withStore(this.env, async (store) => (await store.count(PROJECT_TASKS, {})) > 0);
  }
}

const OLDEST = { by: 'createdAt', direction: 'asc' } as const;
const FIRST = { by: 'at', direction: 'asc' } as const;

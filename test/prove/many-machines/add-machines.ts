import { LICENSES } from '../../../src/licenses/license.js';
import { activated } from '../../../src/licenses/license-transitions.js';
import { MACHINES } from '../../../src/machines/machine.js';
import { MachineIdProvider } from '../../../src/machines/machine-id.provider.js';
import { newMachine } from '../../../src/machines/seat.js';
import { Config } from '../../../src/shared/config/config.js';
import { DataKeys } from '../../../src/shared/sealing/data-keys.js';
import { DeploymentItems } from '../../../src/storage/deployment-items.js';
import { increment, insert, replace } from '../../../src/storage/changes.js';
import { withStore } from '../../with-store.js';

/** Machines stored per commit. */
const BATCH_SIZE = 500;

export const fingerprintOf = (machine: number): string => `fingerprint-of-machine-${machine}`;

/** Machines to add to a license that is not activated. */
export interface AddedMachines {
  /** The id of the license. */
  readonly license: string;
  readonly count: number;
  /** Seconds since their latest heartbeats. */
  readonly ago: number;
}

/** Activates licenses on many machines, whose fingerprints count from 0. */
export const addMachines = (
  env: NodeJS.ProcessEnv,
  added: readonly AddedMachines[],
): Promise<void> =>
  withStore(env, async (store, context) => {
    const ids = new MachineIdProvider(
      context.get(Config),
      context.get(DeploymentItems),
      context.get(DataKeys),
      store,
    );
    for (const { license: _id, count, ago } of added) {
      const license = (await store.find(LICENSES, { _id }))!;
      const at = new Date(Date.now() - ago * 1000);
      await store.commit([replace(LICENSES, license, activated(license, at))]);
      for (let first = 0; first < count; first += BATCH_SIZE) {
        const size = Math.min(BATCH_SIZE, count - first);
        const machines = Array.from({ length: size }, (_, i) => {
          const machineId = ids.machineIdFor(license.project, fingerprintOf(first + i));
          return insert(MACHINES, newMachine(license, { machineId }, false, at));
        });
        await store.commit([increment(LICENSES, _id, { seats: size }), ...machines]);
      }
    }
  });

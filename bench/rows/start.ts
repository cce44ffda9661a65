import { setTimeout } from 'node:timers/promises';
import type { Engine } from '../../test/engines.js';
import { memoryOf } from '../../test/prove/processes.js';
import { atMost, type Row, summary, value } from './row.js';
import { onStore, ROUNDS } from './runs.js';

/** From the first response until memory is measured, in milliseconds. */
const AT_REST = 3_000;

/** Seconds from starting node to the first response, and the resident memory of an idle service. */
export const start = (engine: Engine): Promise<Row[]> =>
  onStore(engine, async (operator) => {
    // Creates the store.
    await (await operator.start()).end('SIGTERM');
    const measured = { seconds: [] as number[], megabytes: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const begun = performance.now();
      const service = await operator.start();
      await service.get('/health/ready');
      measured.seconds.push((performance.now() - begun) / 1000);
      await setTimeout(AT_REST);
      measured.megabytes.push(memoryOf(service.pid));
      await service.end('SIGTERM');
    }
    return [
      value('node to the first response', atMost(0.55), 's', summary(measured.seconds)),
      value('resident memory at rest', atMost(140), 'MB', summary(measured.megabytes)),
    ];
  });

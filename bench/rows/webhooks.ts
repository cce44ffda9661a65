import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { MessageServer } from '../../test/e2e/webhooks/receiver.js';
import type { Engine } from '../../test/engines.js';
import { times } from '../../test/prove/prove.js';
import { activateAll } from '../load.js';
import { atLeast, type Row, summary, value } from './row.js';
import { fill, onStore, ROUNDS } from './runs.js';

/** Per round. */
const DELIVERIES = times({ short: 64, long: 3_200 });

/** Deliveries per second from the backlog of one webhook. */
export async function webhooks(engine: Engine): Promise<Row[]> {
  const held: ServerResponse[] = [];
  const arrived = new Set<string>();
  let isHolding = false;
  const receiver = new MessageServer(({ id }, response) => {
    arrived.add(id);
    if (isHolding) held.push(response);
    else response.writeHead(204).end();
  });
  await receiver.start();
  const measure = async () =>
    onStore(
      engine,
      async (operator) => {
        const service = await operator.start();
        const filled = await fill(service, (ROUNDS + 1) * DELIVERIES);
        const hook = { url: receiver.url, types: ['license.activated'] };
        await service.post('/webhooks', hook, filled);
        const measured: number[] = [];
        while (filled.keys.length > 0) {
          isHolding = true;
          await activateAll(service.url, filled.keys.splice(0, DELIVERIES));
          const begun = performance.now();
          isHolding = false;
          held.splice(0).forEach((response) => response.writeHead(204).end());
          while (arrived.size < DELIVERIES) await setTimeout(5);
          arrived.clear();
          measured.push((DELIVERIES * 1_000) / (performance.now() - begun));
        }
        return measured;
      },
      { WEBHOOK_NETWORKS: '127.0.0.1' },
    );
  // The first round warms up.
  const [, ...perSecond] = await measure().finally(() => receiver.stop());
  return [value(`deliveries of a backlog, ${engine}`, atLeast(150), '/s', summary(perSecond))];
}

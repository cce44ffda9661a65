import { Webhook } from 'standardwebhooks';
import { Deliveries } from '../../../src/webhooks/deliveries.job.js';
import type { TestApp } from '../../app.js';
import type { Developer } from '../developer.js';
import type { Arrived } from './receiver.js';

export interface Delivery {
  readonly _id: string;
  readonly status: string;
  readonly attempts: number;
  readonly lastAttemptAt: string | null;
  readonly error: string | null;
  readonly nextAttemptAt: string | null;
}

/** Starts due deliveries. */
export async function step(app: TestApp): Promise<Deliveries> {
  const worker = app.nest.get(Deliveries, { strict: false });
  await worker.step();
  return worker;
}

/** Drives the workers and the attempts they start until a condition holds. */
export async function driveUntil(app: TestApp, holds: () => unknown): Promise<void> {
  for (let times = 0; times < 500; times += 1) {
    if (await holds()) return;
    await (await step(app)).waitForAttempts();
    await new Promise(setImmediate);
  }
  throw new Error('The condition never holds');
}

/** A new webhook, with its secret. */
export async function addWebhook(
  app: TestApp,
  { token }: { token: string },
  url: string,
  types: readonly string[] = ['*'],
): Promise<{ readonly _id: string; readonly secret: string }> {
  const { body } = await app.post('/webhooks', { url, types }, { token });
  return { _id: body.webhook._id, secret: body.secret };
}

export const deliveriesOf = async (
  app: TestApp,
  { token }: { token: string },
  { _id }: { _id: string },
): Promise<Delivery[]> =>
  (await app.get(`/webhooks/${_id}/deliveries?limit=100`, { token })).body.data;

/** Sends a test event to a webhook; returns its id. */
export const test = async (app: TestApp, { token }: { token: string }, { _id }: { _id: string }) =>
  (await app.post(`/webhooks/${_id}/test`, {}, { token })).body.event as string;

/** Verifies a message like its receiver, at the time of the service's clock. */
export function verified(app: TestApp, secret: string, { body, headers }: Arrived): unknown {
  const now = jest.spyOn(Date, 'now').mockReturnValue(app.clock.now().getTime());
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    now.mockRestore();
  }
}

/** Deletes a developer's webhooks after each test, because the next one may move the clock to their next attempts. */
export function deleteWebhooksAfterEach(app: TestApp, developer: Developer): void {
  afterEach(async () => {
    const { body } = await app.get('/webhooks', developer);
    for (const { _id } of body.data) await app.delete(`/webhooks/${_id}`, developer);
  });
}

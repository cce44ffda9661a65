import type { TestApp } from '../../app.js';
import { NOBODYS } from '../developer.js';
import type { Traveller } from '../traveller.js';
import { deliveriesOf, driveUntil, verified } from './drive.js';
import type { Receiver } from './receiver.js';

/** The part of the journey that is about webhooks. Nothing listens at this one. */
export async function useWebhooks(user: Traveller): Promise<void> {
  const fields = { url: 'https://127.0.0.1:1024/', types: ['webhook.disabled'] };
  const { webhook } = await user.expect(201, 'POST /webhooks', fields);
  const path = `/webhooks/${webhook._id}`;
  await user.expect('400 VALIDATION_ERROR', 'POST /webhooks', { ...fields, url: 'https://[::1]/' });
  await user.expect(200, 'GET /webhooks');
  await user.expect(200, `PATCH ${path}`, { description: 'Orders' });
  await user.expect(200, `GET ${path}`);
  await user.expect(200, `GET ${path}/deliveries`);
  const redeliver = `POST ${path}/deliveries/${NOBODYS}/redeliver`;
  await user.expect('404 DELIVERY_NOT_FOUND', redeliver);
  await user.expect(200, `POST ${path}/rotate-secret`, {});
  await user.expect(202, `POST ${path}/test`);
  await user.expect(204, `DELETE ${path}`);
  await user.expect('404 WEBHOOK_NOT_FOUND', `GET ${path}`);
}

/** A change of a license arrives at a webhook, and its delivery is listed. */
export async function receiveMessage(
  user: Traveller,
  app: TestApp,
  receiver: Receiver,
  license: string,
): Promise<void> {
  receiver.reset();
  const fields = { url: `${receiver.url}/hook`, types: ['license.updated'] };
  const { webhook, secret } = await user.expect(201, 'POST /webhooks', fields);
  const path = `/webhooks/${webhook._id}`;
  const { license: shown } = await user.expect(200, `PATCH /licenses/${license}`, {
    maxMachines: 2,
  });
  delete shown.key;
  await driveUntil(app, async () => {
    const [delivery] = await deliveriesOf(app, { token: user.token! }, webhook);
    return delivery?.status === 'delivered';
  });
  expect(receiver.arrived).toHaveLength(1);
  expect(verified(app, secret, receiver.arrived[0]!)).toMatchObject({
    ...{ type: 'license.updated', data: { license: shown } },
  });
  const { data } = await user.expect(200, `GET ${path}/deliveries`);
  expect(data).toMatchObject([{ status: 'delivered', attempts: 1, responseStatus: 204 }]);
  await user.expect(204, `DELETE ${path}`);
}

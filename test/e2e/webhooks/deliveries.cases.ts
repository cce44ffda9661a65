import { runAccountCommand } from '../../../src/cli/accounts.js';
import { START } from '../../fake-clock.js';
import { LAPTOP } from '../developer.js';
import { expectError, expectResponse } from '../responses.js';
import { useDeveloper } from '../use-app.js';
import {
  addWebhook,
  deleteWebhooksAfterEach,
  deliveriesOf,
  driveUntil,
  step,
  test,
  verified,
} from './drive.js';
import { useReceiver } from './receiver.js';

describe('The deliveries', () => {
  const [app, ada] = useDeveloper();
  const receiver = useReceiver();
  deleteWebhooksAfterEach(app, ada);
  const deliveries = (webhook: { _id: string }) => deliveriesOf(app, ada, webhook);
  const arrives = (count: number) => driveUntil(app, () => receiver.arrived.length >= count);
  /** The only delivery after its next attempt. */
  const attempted = async (webhook: { _id: string }, attempts: number) => {
    await driveUntil(app, async () => (await deliveries(webhook))[0]?.attempts === attempts);
    return (await deliveries(webhook))[0]!;
  };
  const shown = async ({ _id }: { _id: string }) => (await app.get(`/webhooks/${_id}`, ada)).body;
  /** A webhook whose first delivery has failed once, as all do until the receiver is reset. */
  const failing = async (path = '/hook') => {
    const webhook = await addWebhook(app, ada, receiver.url + path, ['client.created']);
    let attempts = 0;
    receiver.respond = (response) => response.writeHead(500).end(`attempt ${(attempts += 1)}`);
    await app.createClient(ada);
    await attempted(webhook, 1);
    return webhook;
  };

  it('are signed per Standard Webhooks, with the event and license as committed, without the key', async () => {
    const webhook = await addWebhook(app, ada, `${receiver.url}/hook`, ['license.activated']);
    const client = await app.createClient(ada, { name: 'Grün & Söhne “€”' });
    const { license } = await app.createProject(ada, client._id);
    const { _id, key } = license;
    await app.activate(license, LAPTOP);
    // Changes after the commit are not in the message.
    await app.patch(`/licenses/${_id}`, { maxMachines: 7 }, ada);
    await arrives(1);
    const [arrived] = receiver.arrived;
    const [event] = (await app.get(`/events?type=license.activated&subject=${_id}`, ada)).body
      .data as [{ _id: string; at: string; data: { machineId: string } }];
    const withoutKey = await app.readLicense(ada, license);
    delete withoutKey.key;
    const message = verified(app, webhook.secret, arrived!);
    expect(message).toEqual({
      ...{ type: 'license.activated', timestamp: event.at },
      data: {
        ...event,
        license: { ...withoutKey, maxMachines: 1, machineId: event.data.machineId },
      },
    });
    expect(arrived!.body).not.toContain(key);
    const changed = { ...arrived!, body: `${arrived!.body} ` };
    expect(() => verified(app, webhook.secret, changed)).toThrow('No matching signature');
    expect(arrived!.headers).toMatchObject({
      ...{ 'content-type': 'application/json', 'webhook-id': event._id },
      ...{ 'webhook-timestamp': String(Date.parse(START) / 1000) },
      'user-agent': 'license-management-service',
    });
    expect(await attempted(webhook, 1)).toEqual({
      ...{ _id: expect.any(String), event: event._id, type: 'license.activated' },
      ...{ status: 'delivered', attempts: 1, lastAttemptAt: START, responseStatus: 204 },
      ...{ error: null, nextAttemptAt: null },
    });
  });

  it('retry on schedule with identical id and bytes, then fail, and restart only through their own webhook', async () => {
    const webhook = await failing();
    for (const [index, seconds] of [5, 300, 1800, 7200, 18_000, 36_000, 36_000].entries()) {
      const delivery = await attempted(webhook, index + 1);
      const pause = Date.parse(delivery.nextAttemptAt!) - app.clock.now().getTime();
      expect(pause).toBeGreaterThanOrEqual(seconds * 900);
      expect(pause).toBeLessThanOrEqual(seconds * 1100);
      expect(delivery).toMatchObject({
        ...{ status: 'pending', responseStatus: 500, error: 'unexpected_status' },
      });
      await app.moveTo(ada, delivery.nextAttemptAt!);
    }
    const failed = await attempted(webhook, 8);
    expect(failed).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect(receiver.arrived).toHaveLength(8);
    expect(new Set(receiver.arrived.map(({ id, body }) => id + body)).size).toBe(1);
    expect((await shown(webhook)).failingSince).toBe(START);
    for (const [status, listed] of Object.entries({ failed: [failed], pending: [] })) {
      const list = `/webhooks/${webhook._id}/deliveries?status=${status}`;
      expect((await app.get(list, ada)).body.data).toEqual(listed);
    }
    const recent = async () => (await app.get('/webhooks', ada)).body.data[0].recentDeliveries;
    expect(await recent()).toEqual({ attempted: 1, delivered: 0 });
    const [arrived] = receiver.arrived;
    receiver.reset();
    const other = await addWebhook(app, ada, `${receiver.url}/other`, ['plan.*']);
    const redelivery = `deliveries/${failed._id}/redeliver`;
    const elsewhere = await app.post(`/webhooks/${other._id}/${redelivery}`, {}, ada);
    expectError(elsewhere, 'DELIVERY_NOT_FOUND');
    const details = `/webhooks/${webhook._id}/deliveries/${failed._id}`;
    const attempt = {
      ...{ startedAt: failed.lastAttemptAt, endedAt: failed.lastAttemptAt, responseStatus: 500 },
      ...{ response: 'attempt 8', error: 'unexpected_status' },
    };
    const first = { ...attempt, startedAt: START, endedAt: START, response: 'attempt 1' };
    const sent = await app.get(details, ada);
    expectResponse(sent, 200, {
      ...{ ...failed, body: arrived!.body },
      attemptLog: [attempt, ...Array(6).fill(expect.any(Object)), first],
    });
    const ofOther = await app.get(`/webhooks/${other._id}/deliveries/${failed._id}`, ada);
    expectError(ofOther, 'DELIVERY_NOT_FOUND');
    const path = `/webhooks/${webhook._id}/${redelivery}`;
    const { status, body } = await app.post(path, {}, ada);
    expect([status, body.delivery]).toEqual([202, expect.objectContaining({ attempts: 0 })]);
    expect(await attempted(webhook, 1)).toMatchObject({ status: 'delivered' });
    for (let again = 0; again < 2; again += 1) {
      await app.post(path, {}, ada);
      await attempted(webhook, 1);
    }
    const { attemptLog } = (await app.get(details, ada)).body;
    expect(attemptLog.map((one: typeof attempt) => one.response)).toEqual([
      ...['', '', '', 'attempt 8', 'attempt 7'],
      ...['attempt 6', 'attempt 5', 'attempt 4', 'attempt 3', 'attempt 2'],
    ]);
    await app.delete(`/webhooks/${other._id}`, ada);
    expect(await recent()).toEqual({ attempted: 1, delivered: 1 });
    expect((await shown(webhook)).failingSince).toBeNull();
    await app.patch(`/webhooks/${webhook._id}`, { status: 'disabled' }, ada);
    expectError(await app.post(path, {}, ada), 'WEBHOOK_DISABLED');
  });

  it('stop on a 410, which disables the webhook and fails pending deliveries; other webhooks receive the event', async () => {
    await addWebhook(app, ada, `${receiver.url}/other`, ['webhook.disabled']);
    const webhook = await failing('/gone');
    receiver.respond = (response, path) => response.writeHead(path === '/gone' ? 410 : 204).end();
    await app.createClient(ada);
    await driveUntil(app, () => receiver.typesAt('/other').length > 0);
    await driveUntil(app, async () =>
      (await deliveries(webhook)).every(({ status }) => status === 'failed'),
    );
    expect((await deliveries(webhook)).map(({ error }) => error).sort()).toEqual([
      ...['unexpected_status', 'webhook_disabled'],
    ]);
    const path = `/webhooks/${webhook._id}`;
    expect(await shown(webhook)).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    expectError(await app.post(`${path}/test`, {}, ada), 'WEBHOOK_DISABLED');
    // Once enabled, it receives new events only.
    receiver.reset();
    await app.createClient(ada);
    await step(app);
    await app.patch(path, { status: 'enabled' }, ada);
    const { _id } = await app.createClient(ada);
    await arrives(1);
    await attempted(webhook, 1);
    expect(receiver.arrived.map(({ body }) => JSON.parse(body).data.subject.id)).toEqual([_id]);
    expect((await shown(webhook)).failingSince).toBeNull();
  });

  it('disable their webhook after failing for five days', async () => {
    const webhook = await failing();
    await app.moveTo(ada, '2026-02-05T10:14:59.999Z');
    await attempted(webhook, 2);
    expect(await shown(webhook)).toMatchObject({ status: 'enabled', failingSince: START });
    await app.moveTo(ada, '2026-02-05T10:25:00.000Z');
    await attempted(webhook, 3);
    expect(await shown(webhook)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
  });

  it('are signed with both secrets for a day after a rotation, or only with the new one if the old one must end', async () => {
    const webhook = await addWebhook(app, ada, `${receiver.url}/hook`, ['client.created']);
    const rotate = async (body: object) =>
      (await app.post(`/webhooks/${webhook._id}/rotate-secret`, body, ada)).body.secret as string;
    const next = async () => {
      receiver.reset();
      await test(app, ada, webhook);
      await arrives(1);
      return receiver.arrived[0]!;
    };
    const second = await rotate({});
    const both = await next();
    expect(verified(app, webhook.secret, both)).toEqual(verified(app, second, both));
    await app.moveTo(ada, '2026-02-01T10:15:00.000Z');
    const later = await next();
    expect(verified(app, second, later)).toMatchObject({ type: 'webhook.test' });
    expect(() => verified(app, webhook.secret, later)).toThrow('No matching signature');
    const third = await rotate({ expireOld: true });
    const last = await next();
    expect(verified(app, third, last)).toMatchObject({ type: 'webhook.test' });
    expect(() => verified(app, second, last)).toThrow('No matching signature');
  });

  it('match the types of their webhook and stay within the account; a test event reaches only one webhook', async () => {
    const eve = await app.register();
    const licenses = await addWebhook(app, ada, `${receiver.url}/licenses`, ['license.*']);
    await addWebhook(app, ada, `${receiver.url}/clients`, ['client.created', 'plan.*']);
    await addWebhook(app, eve, `${receiver.url}/eve`);
    await app.createLicense(ada);
    await test(app, ada, licenses);
    await arrives(3);
    await driveUntil(app, async () => (await step(app)) && receiver.arrived.length >= 3);
    expect(receiver.typesAt('/licenses').sort()).toEqual(['license.created', 'webhook.test']);
    expect(receiver.typesAt('/clients')).toEqual(['client.created']);
    expect(receiver.typesAt('/eve')).toEqual([]);
  });

  it('are deleted with their webhook, and wait while the account is disabled', async () => {
    const webhook = await addWebhook(app, ada, `${receiver.url}/ada`, ['client.created']);
    const gone = await addWebhook(app, ada, `${receiver.url}/gone`, ['client.created']);
    receiver.respond = (response) => response.writeHead(500).end();
    await app.createClient(ada);
    for (const each of [gone, webhook]) await attempted(each, 1);
    await app.delete(`/webhooks/${gone._id}`, ada);
    await runAccountCommand(app.nest, 'disable', ada.email);
    receiver.reset();
    app.clock.advance({ seconds: 10 });
    for (let times = 0; times < 3; times += 1) await (await step(app)).waitForAttempts();
    expect(receiver.arrived).toEqual([]);
    await runAccountCommand(app.nest, 'enable', ada.email);
    app.clock.advance({ seconds: 600 });
    Object.assign(ada, await app.logIn(ada));
    await arrives(1);
    expect(receiver.typesAt('/ada')).toEqual(['client.created']);
    expect(receiver.typesAt('/gone')).toEqual([]);
  });
});

import { Resolver } from 'node:dns/promises';
import { START } from '../../fake-clock.js';
import { atOnce, countsOf, expectError, expectInvalid, expectResponse } from '../responses.js';
import { useDeveloper } from '../use-app.js';
import { addWebhook, deleteWebhooksAfterEach, driveUntil } from './drive.js';
import { useReceiver } from './receiver.js';

describe('The webhooks', () => {
  const [app, ada] = useDeveloper();
  const receiver = useReceiver();
  deleteWebhooksAfterEach(app, ada);
  const post = (body: object, { token }: { token: string } = ada) =>
    app.post('/webhooks', body, { token });
  const patch = (_id: string, body: object, caller: { token: string } = ada) =>
    app.patch(`/webhooks/${_id}`, body, { token: caller.token });

  it('are created, read, listed, changed and deleted; the secret is shown once', async () => {
    const fields = {
      url: `${receiver.url}/hook?token=private`,
      types: ['license.*', 'webhook.test'],
    };
    const { status, body } = await post({ ...fields, description: 'Orders' });
    expect([status, body.message]).toEqual([201, 'Webhook created']);
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const webhook = {
      ...{ _id: body.webhook._id, ...fields, description: 'Orders', status: 'enabled' },
      createdBy: { type: 'user', id: ada._id, name: expect.any(String) },
      ...{ disabledReason: null, createdAt: START, updatedAt: START, failingSince: null },
    };
    expect(body.webhook).toEqual(webhook);
    expect((await app.get(`/webhooks/${webhook._id}`, ada)).body).toEqual(webhook);
    app.clock.advance({ seconds: 1 });
    expect((await patch(webhook._id, {})).body.webhook).toEqual(webhook);
    const changes = { types: ['*'], description: null, status: 'disabled' };
    const updatedAt = app.clock.now().toISOString();
    const changed = { ...webhook, ...changes, disabledReason: 'request', updatedAt };
    const message = 'Webhook updated';
    expectResponse(await patch(webhook._id, changes), 200, { message, webhook: changed });
    const listed = { ...changed, recentDeliveries: { attempted: 0, delivered: 0 } };
    expectResponse(await app.get('/webhooks', ada), 200, { data: [listed], nextCursor: null });
    expect((await app.delete(`/webhooks/${webhook._id}`, ada)).status).toBe(204);
    expectError(await app.get(`/webhooks/${webhook._id}`, ada), 'WEBHOOK_NOT_FOUND');
    const events = (await app.get('/events?type=webhook.*', ada)).body.data;
    expect(events.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
      ['webhook.deleted', {}],
      [
        'webhook.updated',
        {
          types: [fields.types, ['*']],
          ...{ description: ['Orders', null], status: ['enabled', 'disabled'] },
        },
      ],
      ['webhook.created', { url: receiver.url, types: fields.types }],
    ]);
    expect(JSON.stringify(events)).not.toMatch(/private|whsec/);
  });

  it('400 for an invalid webhook, and for a URL into the internal network', async () => {
    const right = { url: 'https://shop.example/', types: ['*'] };
    expectInvalid(await post({ ...right, types: [] }), 'types');
    expectInvalid(await post({ ...right, types: ['*', '*'] }), 'types');
    expectInvalid(await post({ ...right, types: ['license.paid'] }), 'types');
    for (const url of ['x', 'https://10.0.0.1/', 'https://[::1]/', 'https://db.internal/']) {
      expectInvalid(await post({ ...right, url }), 'url');
    }
    const { _id } = await addWebhook(app, ada, receiver.url);
    expectInvalid(await patch(_id, { url: 'https://169.254.169.254/' }), 'url');
  });

  it('are limited to 20, even if 30 are created at the same time; beyond that, no name is resolved', async () => {
    const create = () => post({ url: receiver.url, types: ['*'] });
    expect(countsOf(await atOnce(30, create))).toEqual({ 201: 20, WEBHOOK_QUOTA_REACHED: 10 });
    const resolve4 = jest.spyOn(Resolver.prototype, 'resolve4');
    const named = await post({ url: 'https://shop.example/', types: ['*'] });
    expectError(named, 'WEBHOOK_QUOTA_REACHED');
    expect(resolve4).not.toHaveBeenCalled();
    resolve4.mockRestore();
    const [{ _id }] = (await app.get('/webhooks', ada)).body.data;
    await app.delete(`/webhooks/${_id}`, ada);
    expect((await create()).status).toBe(201);
  });

  it('are tested once by requests with the same idempotency key', async () => {
    const { _id } = await addWebhook(app, ada, receiver.url, ['client.created']);
    const call = { token: ada.token, headers: { 'Idempotency-Key': 'test' } };
    const tested = await app.post(`/webhooks/${_id}/test`, {}, call);
    expectResponse(await app.post(`/webhooks/${_id}/test`, {}, call), 202, tested.body);
  });

  it('of an API key receive no session, member, key or account events; keys change only their own', async () => {
    const scopes = ['webhooks:read', 'webhooks:write', 'events:read', 'licenses:read'];
    const key = await app.addApiKey(ada, scopes);
    const ofKey = await addWebhook(app, key, `${receiver.url}/key`);
    const ofSession = await addWebhook(app, ada, `${receiver.url}/session`);
    const url = receiver.url;
    expectInvalid(await post({ url, types: ['member.joined'] }, key), 'types');
    expectInvalid(await patch(ofKey._id, { types: ['account.*'] }, key), 'types');
    expect((await patch(ofKey._id, { description: 'Mine' }, key)).status).toBe(200);
    for (const response of [
      await patch(ofSession._id, { url }, key),
      await app.delete(`/webhooks/${ofSession._id}`, key),
      await app.post(`/webhooks/${ofKey._id}/rotate-secret`, {}, key),
    ]) {
      expectError(response, 'SESSION_REQUIRED');
    }
    const lacking = await app.addApiKey(ada, ['webhooks:write', 'licenses:read']);
    expectError(await post({ url, types: ['*'] }, lacking), 'INSUFFICIENT_SCOPE');
    await app.addMember(ada, 'support');
    await app.logIn(ada);
    await app.createClient(ada);
    await driveUntil(app, () => receiver.typesAt('/key').includes('client.created'));
    await driveUntil(app, () => receiver.typesAt('/session').includes('client.created'));
    expect(receiver.typesAt('/key').sort()).toEqual([
      ...['client.created', 'webhook.created', 'webhook.updated'],
    ]);
    expect(receiver.typesAt('/session')).toEqual(
      expect.arrayContaining(['api_key.created', 'member.invited', 'account.logged_in']),
    );
  });
});

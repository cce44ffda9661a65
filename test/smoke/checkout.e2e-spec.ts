import fs from 'node:fs';
import path from 'node:path';
import Stripe from 'stripe';
import { atOnce } from '../e2e/responses.js';
import type { Developer } from '../e2e/developer.js';
import { type RunningProcess, type RunningService, useOperator } from './operator.js';

const FOLDER = path.resolve('examples/checkout');
const SECRET = 'whsec_checkoutOfTheTest';
const RECORDED = fs.readFileSync(path.join(FOLDER, 'checkout-session-completed.json'), 'utf8');
const SESSION = (JSON.parse(RECORDED) as Stripe.CheckoutSessionCompletedEvent).data.object.id;

/** The scopes that the example's README gives its API key. */
const SCOPES = [
  ...['plans:read', 'clients:read', 'clients:write', 'projects:write'],
  ...['licenses:read', 'licenses:write'],
];

describe('The checkout of examples/checkout', () => {
  const operator = useOperator({ SHUTDOWN_DRAIN: '0' });
  let service: RunningService;
  let vendor: Developer;
  let shops: RunningProcess[];
  let addresses: string[];

  beforeAll(async () => {
    service = await operator.start();
    vendor = await service.register();
    const plan = { name: 'Team, one year', duration: 12, services: ['Hosting'], maxMachines: 5 };
    await service.post('/plans', plan, vendor);
    const { token } = await service.addApiKey(vendor, SCOPES);
    const secrets = { API_KEY: token, STRIPE_WEBHOOK_SECRET: SECRET };
    const env = { SERVICE: service.url, CHECKOUT_PORT: '0', ...secrets };
    const program = path.join(FOLDER, 'server.mjs');
    shops = [operator.begin(program, [], env), operator.begin(program, [], env)];
    const started = await Promise.all(shops.map((shop) => shop.untilStderr(/listens on (\S+)\n/)));
    addresses = started.map(([, address]) => String(address));
  });

  const deliver = async (payload: string, signature?: string, shop = 0) => {
    const response = await fetch(`${addresses[shop]}/stripe-webhook`, {
      method: 'POST',
      headers: { ...(signature && { 'Stripe-Signature': signature }) },
      body: payload,
    });
    return response.status;
  };
  const sign = (payload: string, options: { secret?: string; timestamp?: number } = {}) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, ...options });
  const read = async (list: string) =>
    (await service.get(list, vendor)).body.data as Record<string, unknown>[];

  const expectNothingIssued = async () =>
    expect([await read('/licenses'), await read('/clients')]).toEqual([[], []]);

  it('issues nothing for an event that Stripe has not signed, or that is old', async () => {
    const timestamp = Math.floor(Date.now() / 1000) - 600;
    const statuses = await Promise.all([
      deliver(RECORDED),
      deliver(RECORDED, sign(RECORDED, { secret: 'whsec_another' })),
      deliver(RECORDED.replace('Team, one year', 'Team, ten years'), sign(RECORDED)),
      deliver(RECORDED, sign(RECORDED, { timestamp })),
    ]);
    expect(statuses).toEqual([400, 400, 400, 400]);
    await expectNothingIssued();
  });

  it.each([
    ['is not paid', '"payment_status": "paid"', '"payment_status": "unpaid"', 200],
    ['sells something else', '"plan":', '"shirt":', 200],
    ['is another one', '"checkout.session.completed"', '"checkout.session.expired"', 200],
    ['has no plan, which Stripe delivers again', 'Team, one year', 'Team, ten years', 500],
  ])('issues nothing for an event that %s', async (_what, part, other, status) => {
    const payload = RECORDED.replace(part, other);
    expect(payload).not.toBe(RECORDED);
    expect(await deliver(payload, sign(payload))).toBe(status);
    await expectNothingIssued();
  });

  it('gives the customer one license for 20 deliveries of an event to two instances, half of them at once', async () => {
    const deliverAgain = (number: number) => deliver(RECORDED, sign(RECORDED), number % 2);
    const statuses = await atOnce(10, deliverAgain);
    for (let number = 0; number < 10; number += 1) statuses.push(await deliverAgain(number));
    expect(statuses).toEqual(Array(20).fill(200));

    const [license, ...others] = await read('/licenses');
    expect(others).toEqual([]);
    expect(license).toMatchObject({ externalId: SESSION, duration: 12, maxMachines: 5 });
    expect(await read('/clients')).toMatchObject([
      { name: 'Acme Ltd', email: 'office@acme.example' },
    ]);
    expect(await read('/events?type=license.created')).toMatchObject([
      { actor: { type: 'api_key', name: 'Checkout' }, subject: { id: license!._id } },
    ]);
    const printed = shops.map(({ stdout }) => stdout).join('');
    expect(printed.match(/^issued/gm)).toHaveLength(1);

    const thankYou = `${addresses[0]}/thank-you?session_id=`;
    expect(await (await fetch(thankYou + SESSION)).text()).toBe(`${String(license!.key)}\n`);
    expect((await fetch(`${thankYou}cs_test_another`)).status).toBe(404);
    expect((await fetch(`${thankYou}${'x'.repeat(300)}`)).status).toBe(404);
  });
});

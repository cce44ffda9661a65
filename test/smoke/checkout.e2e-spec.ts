import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import Stripe from 'stripe';
import { atOnce } from '../e2e/responses.js';
import type { Developer } from '../e2e/developer.js';
import { type RunningProcess, type RunningService, useOperator } from './operator.js';

const FOLDER = path.resolve('examples/checkout');
const SECRET = 'whsec_checkoutOfTheTest';
const recorded = (name: string) => fs.readFileSync(path.join(FOLDER, name), 'utf8');
const SALE = recorded('checkout-session-completed.json');
const INVOICE = recorded('invoice-paid.json');
const PRODUCT = 'com.example.web-shop';
const ORDER = 'o_5Kd0mWq8ZpTzR3vYbN1x';

/** The scopes of the API key in the example's README. */
const SCOPES = [
  ...['plans:read', 'clients:read', 'clients:write', 'projects:write'],
  ...['licenses:read', 'licenses:write', 'licenses:suspend', 'licenses:revoke'],
];

const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const eventOf = (type: string, object: object) =>
  JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });

/** The recorded sale with a different payment, order and email address. */
const saleOf = (payment: string, email = 'office@acme.example') =>
  SALE.replace('pi_3QExamplePayment000001', payment)
    .replace(ORDER, `${ORDER}-${payment}`)
    .replace('Office@Acme.example', email);

/** The recorded invoice with a different subscription and period. */
const invoiceOf = (subscription: string, end: number) =>
  INVOICE.replaceAll('sub_1QExampleSubscription01', subscription).replace(
    '1772273580',
    String(end),
  );

const endOf = (id: string, endedAt: number) =>
  eventOf('customer.subscription.deleted', {
    ...{ id, metadata: { plan: 'Team, one year' }, ended_at: endedAt },
  });
const refundOf = (payment: string, refunded = true) =>
  eventOf('charge.refunded', { payment_intent: payment, refunded });
const disputeOf = (id: string, type = 'created') =>
  eventOf(`charge.dispute.${type}`, { id, status: 'needs_response' });

describe('The checkout of examples/checkout', () => {
  const operator = useOperator({ SHUTDOWN_DRAIN: '0' });
  /** The responses of Stripe's API, by path. */
  const stripe = new Map<string, object>();
  const stripeApi = http.createServer(({ url = '' }, response) => {
    const found = stripe.get(decodeURIComponent(url).split('&expand')[0]!);
    const body = found ?? { error: { type: 'invalid_request_error', message: url } };
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  let service: RunningService;
  let vendor: Developer;
  let shops: RunningProcess[];
  let addresses: string[];

  beforeAll(async () => {
    service = await operator.start();
    await new Promise<void>((resolve) => stripeApi.listen(0, '127.0.0.1', resolve));
    const { port } = stripeApi.address() as { port: number };
    vendor = await service.register();
    const terms = { duration: 12, services: ['Hosting'], maxMachines: 5 };
    const plan = { name: 'Team, one year', product: PRODUCT, ...terms };
    await service.post('/plans', plan, vendor);
    await service.post('/plans', { name: 'For any product', ...terms }, vendor);
    const { token } = await service.addApiKey(vendor, SCOPES);
    const env = {
      ...{ SERVICE: service.url, CHECKOUT_PORT: '0', API_KEY: token },
      ...{ STRIPE_API: `http://127.0.0.1:${port}`, STRIPE_API_KEY: 'sk_test_of_the_test' },
      STRIPE_WEBHOOK_SECRET: SECRET,
    };
    const program = path.join(FOLDER, 'server.mjs');
    shops = [operator.begin(program, [], env), operator.begin(program, [], env)];
    const started = await Promise.all(shops.map((shop) => shop.untilStderr(/listens on (\S+)\n/)));
    addresses = started.map(([, address]) => String(address));
  });
  afterAll(() => {
    stripeApi.closeAllConnections();
    stripeApi.close();
  });

  const deliver = async (payload: string, signature = sign(payload), shop = 0) => {
    const response = await fetch(`${addresses[shop]}/stripe-webhook`, {
      method: 'POST',
      headers: { 'Stripe-Signature': signature },
      body: payload,
    });
    return response.status;
  };
  const sign = (payload: string, options: { secret?: string; timestamp?: number } = {}) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, ...options });
  const read = async (list: string) =>
    (await service.get(list, vendor)).body.data as Record<string, unknown>[];
  const licenseOf = async (externalId: string) =>
    (await read(`/licenses?externalId=${externalId}`))[0];
  const deliverAll = async (...payloads: string[]) => {
    const statuses: number[] = [];
    for (const [index, payload] of payloads.entries()) {
      statuses.push(await deliver(payload, sign(payload), index % 2));
    }
    return statuses;
  };
  /** The status of the license of a payment or subscription after some events, all of which must be accepted. */
  const statusAfter = async (externalId: string, ...payloads: string[]) => {
    expect(await deliverAll(...payloads)).toEqual(payloads.map(() => 200));
    return (await licenseOf(externalId))?.status;
  };

  const expectNothingIssued = async () =>
    expect([await read('/licenses'), await read('/clients')]).toEqual([[], []]);

  it('issues nothing for an old event, or for one that Stripe did not sign', async () => {
    const timestamp = now - 600;
    const statuses = await Promise.all([
      deliver(SALE, ''),
      deliver(SALE, sign(SALE, { secret: 'whsec_another' })),
      deliver(SALE.replace('Team, one year', 'Team, ten years'), sign(SALE)),
      deliver(SALE, sign(SALE, { timestamp })),
    ]);
    expect(statuses).toEqual([400, 400, 400, 400]);
    await expectNothingIssued();
  });

  it.each([
    ['is not paid', '"payment_status": "paid"', '"payment_status": "unpaid"', 200],
    ['sells something else', '"plan":', '"shirt":', 200],
    ['is of another type', '"checkout.session.completed"', '"checkout.session.expired"', 200],
    [
      'names an unknown plan, so that Stripe delivers it again',
      'Team, one year',
      'Team, ten years',
      500,
    ],
    ['names a plan without a product', 'Team, one year', 'For any product', 500],
  ])('issues nothing for an event that %s', async (_what, part, other, status) => {
    const payload = SALE.replace(part, other);
    expect(payload).not.toBe(SALE);
    expect(await deliver(payload)).toBe(status);
    await expectNothingIssued();
  });

  it('issues one license for 20 deliveries of an event to two instances, half of them concurrent', async () => {
    const deliverAgain = (number: number) => deliver(SALE, sign(SALE), number % 2);
    const statuses = await atOnce(10, deliverAgain);
    for (let number = 0; number < 10; number += 1) statuses.push(await deliverAgain(number));
    expect(statuses).toEqual(Array(20).fill(200));

    const [license, ...others] = await read('/licenses');
    expect(others).toEqual([]);
    const externalId = 'pi_3QExamplePayment000001';
    expect(license).toMatchObject({ externalId, duration: 12, maxMachines: 5 });
    expect(await read('/clients')).toMatchObject([
      { name: 'Acme Ltd', email: 'office@acme.example' },
    ]);
    expect(await read('/events?type=license.created')).toMatchObject([
      { actor: { type: 'api_key', name: 'Checkout' }, subject: { id: license!._id } },
    ]);
    const check = { key: license!.key, product: PRODUCT };
    expect((await service.post('/validate', check)).body.status).toBe('pending');
    const printed = shops.map(({ stdout }) => stdout).join('');
    expect(printed.match(/^issued/gm)).toHaveLength(1);

    const thankYou = `${addresses[0]}/thank-you?order=`;
    expect(await (await fetch(thankYou + ORDER)).text()).toBe(`${String(license!.key)}\n`);
    expect((await fetch(`${thankYou}${ORDER}1`)).status).toBe(404);
    expect((await fetch(`${thankYou}${'x'.repeat(300)}`)).status).toBe(404);
  });

  it('sells to a customer whose email address another vendor already uses', async () => {
    const email = 'buyer@initech.example';
    await service.createClient(await service.register(), { email });
    expect(await statusAfter('pi_taken', saleOf('pi_taken', email))).toBe('PENDING');
    const own = 'sales+cus_examplecustomer01@shop.example';
    expect(await read(`/clients?email=${encodeURIComponent(own)}`)).toHaveLength(1);
  });

  it('extends the license of a subscription with each paid invoice, and ends it with the subscription, in any order', async () => {
    const [first, second] = [now + 30 * DAY, now + 60 * DAY].map((end) => invoiceOf('sub_1', end));
    expect(
      await deliverAll(endOf('sub_1', now + 45 * DAY), first!, first!, second!, first!),
    ).toEqual([500, 200, 200, 200, 200]);
    expect(await licenseOf('sub_1')).toMatchObject({
      ...{ status: 'PENDING', expiresAt: iso(now + 63 * DAY), product: PRODUCT },
    });
    const end = endOf('sub_1', now + 45 * DAY);
    expect(await deliverAll(end, second!, end)).toEqual([200, 200, 200]);
    expect((await licenseOf('sub_1'))!.expiresAt).toBe(iso(now + 45 * DAY));
    // Stripe cancels an unpaid subscription some time after its license has expired.
    await deliverAll(invoiceOf('sub_3', now + 30 * DAY), endOf('sub_3', now + 50 * DAY));
    expect((await licenseOf('sub_3'))!.expiresAt).toBe(iso(now + 33 * DAY));
  });

  it('revokes only the license of a payment that was refunded in full', async () => {
    const list = '/v1/invoice_payments?payment[type]=payment_intent&payment[payment_intent]=';
    const none = { object: 'list', data: [], has_more: false };
    stripe.set(`${list}pi_refunded`, none);
    stripe.set(`${list}pi_shirt`, none);
    stripe.set('/v1/payment_intents/pi_refunded', { metadata: { plan: 'Team, one year' } });
    stripe.set('/v1/payment_intents/pi_shirt', { metadata: {} });
    const subscription_details = {
      ...{ subscription: 'sub_2', metadata: { plan: 'Team, one year' } },
    };
    stripe.set(`${list}pi_of_sub_2`, {
      ...none,
      data: [{ invoice: { parent: { subscription_details } } }],
    });
    const sale = saleOf('pi_refunded');
    // The refund arrives before the sale: Stripe delivers it again.
    expect(await deliverAll(refundOf('pi_refunded'), refundOf('pi_shirt'))).toEqual([500, 200]);
    expect(await statusAfter('pi_refunded', sale, refundOf('pi_refunded', false))).toBe('PENDING');
    const again = [refundOf('pi_refunded'), sale, refundOf('pi_refunded')];
    expect(await statusAfter('pi_refunded', ...again)).toBe('REVOKED');
    const paid = invoiceOf('sub_2', now + 30 * DAY);
    expect(await statusAfter('sub_2', paid, refundOf('pi_of_sub_2'), paid)).toBe('REVOKED');
  });

  it('suspends a license while its payment is disputed, according to the current status of the dispute', async () => {
    const set = (status: string) =>
      stripe.set('/v1/disputes/du_1', { id: 'du_1', status, payment_intent: 'pi_disputed' });
    const [created, closed] = [disputeOf('du_1'), disputeOf('du_1', 'closed')];
    set('warning_needs_response');
    expect(await statusAfter('pi_disputed', saleOf('pi_disputed'), created)).toBe('PENDING');
    set('needs_response');
    expect(await statusAfter('pi_disputed', created)).toBe('SUSPENDED');
    set('won');
    expect(await statusAfter('pi_disputed', closed, created)).toBe('PENDING');
    set('lost');
    expect(await statusAfter('pi_disputed', closed, created)).toBe('REVOKED');
  });
});

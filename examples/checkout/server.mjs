import http from 'node:http';
import Stripe from 'stripe';
import { LicenseService } from './license-service.mjs';
import { Orders } from './orders.mjs';

const { SERVICE = 'http://127.0.0.1:3000', CHECKOUT_PORT = '4242' } = process.env;
const { SHOP_EMAIL = 'sales@shop.example', STRIPE_API = 'https://api.stripe.com' } = process.env;
const { API_KEY, STRIPE_API_KEY, STRIPE_WEBHOOK_SECRET } = process.env;
if (!API_KEY || !STRIPE_API_KEY || !STRIPE_WEBHOOK_SECRET) {
  throw new Error('Set API_KEY, STRIPE_API_KEY and STRIPE_WEBHOOK_SECRET');
}

/** Maximum size of an event in bytes; Stripe's are below 100 kB. */
const MAX_BODY = 1_000_000;

/** The random ids that the shop gives its orders. */
const ORDER = /^[\w-]{20,40}$/;

const { protocol, hostname: host, port } = new URL(STRIPE_API);
const stripe = new Stripe(STRIPE_API_KEY, {
  ...{ protocol: protocol.slice(0, -1), host, port: port || 443 },
});
const service = new LicenseService(SERVICE, API_KEY, SHOP_EMAIL);
const orders = new Orders(service, stripe);

/** Stripe retries for days unless the response is a 2xx, so a failure loses no order. */
async function receive(request) {
  const body = await read(request);
  if (body === null) return [413, 'The event is too large'];
  let event;
  try {
    const signature = request.headers['stripe-signature'] ?? '';
    event = Stripe.webhooks.constructEvent(body, signature, STRIPE_WEBHOOK_SECRET);
  } catch {
    return [400, 'The signature is wrong'];
  }
  return [200, (await orders.handle(event)) ?? 'Nothing to do'];
}

/** The body as it was signed; null if it is too large. */
async function read(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The page to which Stripe sends the customer back. Nobody else knows the id of the order. */
async function thank(order) {
  const key = ORDER.test(order) ? await service.findKey(order) : undefined;
  return key ? [200, key] : [404, 'The payment has not arrived yet: try again in a minute'];
}

async function respondTo(request) {
  const [path, query] = request.url.split('?');
  const route = `${request.method} ${path}`;
  if (route === 'POST /stripe-webhook') return receive(request);
  if (route === 'GET /thank-you') return thank(new URLSearchParams(query).get('order') ?? '');
  return [404, 'Not found'];
}

const server = http.createServer(async (request, response) => {
  let status = 500;
  let text = 'The order could not be completed';
  try {
    [status, text] = await respondTo(request);
  } catch (error) {
    console.error(error.message);
  }
  const headers = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' };
  response.writeHead(status, headers).end(`${text}\n`);
});
server.requestTimeout = 10_000;
server.listen(Number(CHECKOUT_PORT), '127.0.0.1', () => {
  console.error(`The checkout listens on http://127.0.0.1:${server.address().port}`);
});

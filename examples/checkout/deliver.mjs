// Delivers the recorded event as Stripe would, signed, as often as the first argument says.
import fs from 'node:fs';
import Stripe from 'stripe';

const { CHECKOUT = 'http://127.0.0.1:4242', STRIPE_WEBHOOK_SECRET: secret } = process.env;
const payload = fs.readFileSync(
  new URL('checkout-session-completed.json', import.meta.url),
  'utf8',
);

for (let delivery = 0; delivery < Number(process.argv[2] ?? 1); delivery += 1) {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const response = await fetch(`${CHECKOUT}/stripe-webhook`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
    body: payload,
  });
  console.log(`${response.status} ${(await response.text()).trim()}`);
}

// Delivers a recorded event as Stripe would, signed: node deliver.mjs FILE [TIMES]
import fs from 'node:fs';
import Stripe from 'stripe';

const { CHECKOUT = 'http://127.0.0.1:4242', STRIPE_WEBHOOK_SECRET: secret } = process.env;
const [, , file, times = '1'] = process.argv;
const payload = fs.readFileSync(new URL(file, import.meta.url), 'utf8');

for (let delivery = 0; delivery < Number(times); delivery += 1) {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const response = await fetch(`${CHECKOUT}/stripe-webhook`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
    body: payload,
  });
  console.log(`${response.status} ${(await response.text()).trim()}`);
}

import { Deployment, LIMITS_OFF } from '../lib/deployment.mjs';
import { load } from '../lib/load.mjs';
import { ACTIVATED, activation, post } from '../lib/requests.mjs';
import { compare } from '../lib/rounds.mjs';
import { summary } from '../lib/statistics.mjs';
import { WebhookReceiver } from '../lib/webhook-receiver.mjs';

const ENV = { ...LIMITS_OFF, WEBHOOK_NETWORKS: '127.0.0.1' };
const CONNECTIONS = 32;
/** Accounts whose webhooks fill all slots of an instance: four requests at a time to each webhook, 64 in all. */
export const MANY = 16;

/**
 * Deliveries a second of a backlog, and the processor time of one: of one webhook, and of many accounts with one each. Then
 * activations of an account with a webhook, against those of one without.
 */
export async function webhooks(extent) {
  const { rounds, deliveries } = extent;
  const fill = (store) => addAccounts(store, extent);
  const deployment = await Deployment.fill({ ...extent, env: ENV }, fill);
  const { without, one, many } = deployment.filled;
  const [url] = await deployment.start();
  const receiver = new WebhookReceiver();
  let expected = 0;
  const hook = { url: await receiver.listening(), types: ['license.activated'] };
  const hooked = [one, ...many];
  // On MongoDB each response waits for a second.
  const created = deployment.tokens(hooked).map(async (token) => {
    const { method, headers, body } = post('/webhooks', hook, token);
    const { status } = await fetch(`${url}/webhooks`, { method, headers, body });
    if (status !== 201) throw new Error(`A webhook was not created: ${status}`);
  });
  await Promise.all(created);

  const activate = async (keys) => {
    const requests = keys.map(activation);
    return (await load({ url, connections: CONNECTIONS, requests, expected: ACTIVATED })).perSecond;
  };
  const part = (keys, round) => keys.slice(round * deliveries, (round + 1) * deliveries);
  const drained = async (keys) => {
    const figures = [];
    const milliseconds = [];
    for (let round = 0; round <= rounds; round++) {
      receiver.hold();
      const activated = part(keys, round);
      await activate(activated);
      const began = performance.now();
      const used = deployment.cpu();
      receiver.release();
      await receiver.arrived((expected += activated.length));
      figures.push(activated.length / ((performance.now() - began) / 1000));
      milliseconds.push((deployment.cpu() - used) / 1000 / activated.length);
    }
    // The first round warms up.
    const [perSecond, cost] = [figures, milliseconds].map((all) => summary(all.slice(1)));
    return { perSecond, cost };
  };
  const interleaved = many[0].keys.flatMap((_, index) => many.map(({ keys }) => keys[index]));
  const ofRounds = (rounds + 1) * deliveries;

  const results = { one: await drained(one.keys), many: await drained(interleaved) };
  results.activation = await compare(
    rounds,
    async (round) => {
      const keys = part(one.keys.slice(ofRounds), round);
      const perSecond = await activate(keys);
      await receiver.arrived((expected += keys.length));
      return perSecond;
    },
    (round) => activate(part(without.keys, round)),
  );
  receiver.end();
  await deployment.end();
  return results;
}

/** An account without webhooks, one with a webhook, and many with one each; with the licenses that all rounds activate. */
async function addAccounts(store, { rounds, deliveries }) {
  const ofRounds = (rounds + 1) * deliveries;
  const size = { clients: 1, projects: 1, active: 0 };
  return {
    without: await store.add({ ...size, pending: ofRounds }),
    one: await store.add({ ...size, pending: 2 * ofRounds }),
    many: await store.addAll(MANY, { ...size, pending: Math.ceil(ofRounds / MANY) }),
  };
}

import path from 'node:path';
import { accessTokens } from '../lib/access-token.mjs';
import { Fill } from '../lib/fill.mjs';
import { load } from '../lib/load.mjs';
import { MongoWorld } from '../lib/mongo-world.mjs';
import { ACTIVATED, activation, post } from '../lib/requests.mjs';
import { compare } from '../lib/rounds.mjs';
import { LIMITS_OFF, Service } from '../lib/service.mjs';
import { summary } from '../lib/statistics.mjs';
import { WebhookReceiver } from '../lib/webhook-receiver.mjs';

const NETWORKS = { WEBHOOK_NETWORKS: '127.0.0.1' };
const CONNECTIONS = 32;
/** Accounts whose webhooks fill all places of an instance: four requests at a time to each webhook, 64 in all. */
export const MANY = 16;

/**
 * Deliveries a second of a backlog, and the processor time of one: of one webhook, and of many accounts with one each. Then
 * activations of an account with a webhook, against those of one without.
 */
export async function webhooks(extent) {
  const env = { ...LIMITS_OFF, ...NETWORKS, DATA_DIR: path.join(extent.folder, 'data') };
  const store = await Fill.open(env);
  const accounts = await addAccounts(store, extent);
  await store.end();
  const service = new Service(extent.folder, env);
  const url = await service.listening();
  const results = await measure(extent, { url, env, cpu: () => service.cpu() }, accounts);
  await service.end();
  return results;
}

/** The same on MongoDB. */
export async function webhooksOnMongo(extent, server) {
  const fill = (store) => addAccounts(store, extent);
  const mongo = await MongoWorld.open(extent.folder, server, 'webhooks', 1, fill, NETWORKS);
  const { urls, env, filled } = mongo;
  const cpu = async () => (await mongo.used()).instance;
  const results = await measure(extent, { url: urls[0], env, cpu }, filled);
  await mongo.close();
  return results;
}

/** An account without webhooks, one with a webhook, and many with one each; with the licenses that all rounds activate. */
async function addAccounts(store, { rounds, deliveries }) {
  const ofRounds = (rounds + 1) * deliveries;
  const add = (pending) => store.add({ clients: 1, projects: 1, pending, active: 0 });
  const many = [];
  const [without, one] = [await add(ofRounds), await add(2 * ofRounds)];
  for (let i = 0; i < MANY; i++) many.push(await add(Math.ceil(ofRounds / MANY)));
  return { without, one, many };
}

async function measure({ rounds, deliveries }, { url, env, cpu }, { without, one, many }) {
  const receiver = new WebhookReceiver();
  let expected = 0;
  const hook = { url: await receiver.listening(), types: ['license.activated'] };
  const hooked = [one, ...many];
  // On MongoDB each response waits for a second.
  const created = accessTokens(env, hooked).map(async (token) => {
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
      const used = await cpu();
      receiver.release();
      await receiver.arrived((expected += activated.length));
      figures.push(activated.length / ((performance.now() - began) / 1000));
      milliseconds.push(((await cpu()) - used) / 1000 / activated.length);
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
  return results;
}

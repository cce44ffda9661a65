import fs from 'node:fs';
import path from 'node:path';
import { accessTokens } from '../lib/access-token.mjs';
import { load } from '../lib/load.mjs';
import {
  ACTIVATED,
  activation,
  DASHBOARD,
  dashboard,
  VALID,
  validation,
} from '../lib/requests.mjs';
import { sample } from '../lib/sample.mjs';
import { LIMITS_OFF, Service } from '../lib/service.mjs';
import { fill } from '../lib/fill.mjs';
import { summary } from '../lib/statistics.mjs';

const CONNECTIONS = 10;
/** Every user has 100 licenses, half of them active, half pending. */
const OF_A_USER = { clients: 5, projects: 2, pending: 5, active: 5 };
const OF_A_PROJECT = OF_A_USER.pending + OF_A_USER.active;
const ACTIVATIONS = 450;
const MOST_KEYS = 50_000;

/** The p99 of responses with a large store, against a small one. */
export async function scale({ folder, rounds, seconds }, users) {
  const stores = {};
  for (const [name, count] of Object.entries(users)) {
    const at = path.join(folder, name);
    fs.mkdirSync(at);
    stores[name] = { folder: at, users: count, made: await fillStore(at, count), used: 0 };
  }
  const p99 = { large: [], small: [] };
  for (let round = 0; round < rounds; round++) {
    p99.large.push(await measure(stores.large, seconds));
    // It has only as many pending licenses as a round activates.
    stores.small.made = await fillStore(stores.small.folder, stores.small.users);
    stores.small.used = 0;
    p99.small.push(await measure(stores.small, seconds));
  }
  const compared = (operation) => {
    const [large, small] = [p99.large, p99.small].map((all) => all.map((one) => one[operation]));
    return {
      service: summary(large),
      limit: summary(small),
      ratio: summary(large.map((value, round) => value / small[round])),
    };
  };
  return ['validate', 'activate', 'dashboard'].map(compared);
}

async function fillStore(folder, users) {
  const env = { DATA_DIR: path.join(folder, 'data') };
  fs.rmSync(env.DATA_DIR, { recursive: true, force: true });
  const { accounts } = await fill(env, users, OF_A_USER);
  const keysOf = (isWanted) =>
    accounts.flatMap(({ keys }) => keys.filter((_, index) => isWanted(index % OF_A_PROJECT)));
  return {
    pending: sample(
      keysOf((index) => index < OF_A_USER.pending),
      MOST_KEYS,
    ),
    active: sample(
      keysOf((index) => index >= OF_A_USER.pending),
      MOST_KEYS,
    ),
    tokens: accessTokens(env, sample(accounts, 2000)),
  };
}

/** Each round starts a new process on either store, so that its caches are empty. */
async function measure(store, seconds) {
  const { pending, active, tokens } = store.made;
  const service = new Service(store.folder, LIMITS_OFF);
  const url = await service.listening();
  const first = pending.slice(store.used, store.used + ACTIVATIONS);
  store.used += ACTIVATIONS;
  const filled = (requests) =>
    Array.from(
      { length: Math.max(CONNECTIONS, requests.length) },
      (_, i) => requests[i % requests.length],
    );
  const run = async (requests, expected, forSeconds) => {
    const job = { url, connections: CONNECTIONS, requests: filled(requests), expected };
    return (await load({ ...job, seconds: forSeconds })).p99;
  };
  // One half warms up and the other half is measured: a repeated request would be served by a cache in any store.
  const halves = (requests) => [0, 1].map((half) => requests.filter((_, i) => i % 2 === half));
  const [warmUp, validations] = halves(active.map(validation));
  const [firstPages, dashboards] = halves(tokens.map(dashboard));
  await run(warmUp, VALID, 2);
  await run(firstPages, DASHBOARD, 1);
  const result = {
    validate: await run(validations, VALID, seconds),
    dashboard: await run(dashboards, DASHBOARD, seconds),
    activate: await run(first.map(activation), ACTIVATED),
  };
  await service.end();
  return result;
}

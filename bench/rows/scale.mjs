import { Deployment } from '../lib/deployment.mjs';
import { load } from '../lib/load.mjs';
import { ACTIVATED, activation, get, VALID, validation } from '../lib/requests.mjs';
import { sample } from '../lib/sample.mjs';
import { summary } from '../lib/statistics.mjs';

/** Every user has 100 licenses, half of them active, half pending. */
const OF_A_USER = { clients: 5, projects: 2, pending: 5, active: 5 };
const OF_A_PROJECT = OF_A_USER.pending + OF_A_USER.active;
/** The small store has only as many pending licenses as a round activates. */
const SMALL_USERS = 10;
const ACTIVATIONS = 450;
const MOST_KEYS = 50_000;

const DASHBOARD = {
  status: 200,
  body: '"clientsCount":5,"projectsCount":10,"licensesCount":100,"data":\\[{"_id".*"nextCursor":null}$',
};

/**
 * The p99 of responses with a large store, against a store of 1,000 licenses.
 *
 * @param {object} measured
 * @param {string[]} measured.operations
 * @param {number} measured.connections
 * @param {number} [measured.instances] that they share
 */
export async function scale(extent, measured) {
  const large = await fillStore(extent, 'large', extent.users);
  const p99 = { large: [], small: [] };
  for (let round = 0; round < extent.rounds; round++) {
    p99.large.push(await measure(large, round, extent, measured));
    const small = await fillStore(extent, `small-${round}`, SMALL_USERS);
    p99.small.push(await measure(small, 0, extent, measured));
  }
  return measured.operations.map((operation) => {
    const [service, limit] = [p99.large, p99.small].map((all) => all.map((one) => one[operation]));
    const ratio = summary(service.map((value, round) => value / limit[round]));
    return { service: summary(service), limit: summary(limit), ratio };
  });
}

async function fillStore(extent, name, users) {
  const fill = (store) => store.addAll(users, OF_A_USER);
  const deployment = await Deployment.fill({ ...extent, name }, fill);
  const isPending = (index) => index % OF_A_PROJECT < OF_A_USER.pending;
  const keysOf = (isWanted) =>
    deployment.filled.flatMap(({ keys }) => keys.filter((_, index) => isWanted(index)));
  return {
    deployment,
    pending: sample(keysOf(isPending), MOST_KEYS),
    active: sample(
      keysOf((index) => !isPending(index)),
      MOST_KEYS,
    ),
    accounts: sample(deployment.filled, 2000),
  };
}

/** Each round starts new processes on either store, so that their caches are empty. */
async function measure(store, round, { seconds }, { operations, connections, instances }) {
  const { deployment, pending, active, accounts } = store;
  const url = await deployment.start({ instances });
  const run = async (requests, expected, duration) => {
    const length = Math.max(connections, requests.length);
    const filled = Array.from({ length }, (_, i) => requests[i % requests.length]);
    return (await load({ url, connections, requests: filled, expected, ...duration })).p99;
  };
  // One half warms up and the other half is measured: a repeated request would be served by a cache in any store.
  const warm = async (requests, expected) => {
    const [first, second] = [0, 1].map((half) => requests.filter((_, i) => i % 2 === half));
    await run(first, expected, { seconds: 2 });
    return run(second, expected, { seconds });
  };
  const keys = pending.slice(round * ACTIVATIONS, (round + 1) * ACTIVATIONS);
  const measures = {
    validate: () => warm(active.map(validation), VALID),
    dashboard: () =>
      warm(
        deployment.tokens(accounts).map((token) => get('/dashboard', token)),
        DASHBOARD,
      ),
    activate: () => run(keys.map(activation), ACTIVATED),
  };
  const result = {};
  for (const operation of operations) result[operation] = await measures[operation]();
  await deployment.end();
  return result;
}

import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Deployment } from '../lib/deployment.mjs';
import { load } from '../lib/load.mjs';
import { Program } from '../lib/program.mjs';
import { ACTIVATED, activation, CREATED, createProject } from '../lib/requests.mjs';
import { compare } from '../lib/rounds.mjs';
import { sample } from '../lib/sample.mjs';
import { summary } from '../lib/statistics.mjs';

/** Few enough that none is rejected, however slow the machine is. */
const CONNECTIONS = 32;

/**
 * First activations of distinct keys, against the limit of the engine.
 *
 * @param {number} projects that share the licenses
 * @param {number} writes of a round
 */
export function activate(extent, projects, writes) {
  const all = 2 * writes * (extent.rounds + 1);
  const size = { clients: 1, projects, pending: Math.ceil(all / projects), active: 0 };
  const fill = (store) => store.add(size);
  return againstLimit({ ...extent, name: `activations-${projects}` }, fill, 1, (deployment) => {
    const { filled, world } = deployment;
    const keys = sample(filled.keys, all);
    // Of the licenses of each round, the service activates the first half and the limit the second.
    const part = (round, half) => keys.slice((2 * round + half) * writes).slice(0, writes);
    return {
      ...{ kind: 'activate', connections: CONNECTIONS, expected: ACTIVATED },
      requests: (round) => part(round, 0).map(activation),
      records: (round) => part(round, 1).map((key) => world.activationOf(filled._id, key)),
    };
  });
}

/**
 * Projects with their first licenses, against the limit of the engine, which counts them for no quota.
 *
 * @param {object} callers
 * @param {number} callers.connections
 * @param {number} callers.accounts
 * @param {number} callers.clients of all accounts
 * @param {number} [callers.instances] that they call
 * @param {number} writes of a round
 */
export function createProjects(extent, callers, writes) {
  const { connections, accounts, clients, instances = 1 } = callers;
  const size = { clients: clients / accounts, projects: 1, pending: 1, active: 0 };
  const fill = (store) => store.addAll(accounts, size);
  const name = `creations-${connections}-${clients}`;
  return againstLimit({ ...extent, name }, fill, instances, (deployment) => {
    const tokens = deployment.tokens(deployment.filled);
    const parents = deployment.filled.flatMap((account, index) =>
      account.clients.map((client) => ({ _id: account._id, client, token: tokens[index] })),
    );
    // Each caller has a part of the list for itself.
    const creations = Array.from({ length: connections }, (_, caller) =>
      Array(Math.ceil(writes / connections)).fill(parents[caller % parents.length]),
    ).flat();
    return {
      ...{ kind: 'createProject', connections, expected: CREATED },
      requests: () => creations.map(({ token, client }) => createProject(token, client)),
      records: () => creations.map(({ _id, client }) => deployment.world.makeProject(_id, client)),
    };
  });
}

/** On SQLite the limit has a copy of the store, as a file belongs to one process. */
async function againstLimit(extent, fill, instances, jobOf) {
  const deployment = await Deployment.fill(extent, fill);
  const { DATA_DIR, MONGODB_URI: uri } = deployment.env;
  const dataDir = `${DATA_DIR}-of-the-limit`;
  if (!uri) fs.cpSync(DATA_DIR, dataDir, { recursive: true });
  const program = uri ? 'mongo-driver' : 'sqlite-loop';
  const limit = new Program([fileURLToPath(new URL(`../limits/${program}.mjs`, import.meta.url))]);
  limit.send(uri ? { uri } : { dataDir });
  await limit.message();
  const url = await deployment.start({ instances });

  const { kind, connections, expected, requests, records } = jobOf(deployment);
  const commits = [];
  const ofService = async (round) =>
    (await load({ url, connections, requests: requests(round), expected })).perSecond;
  const ofLimit = async (round) => {
    limit.send({ kind, records: records(round), connections });
    const { perSecond, commit } = await limit.message();
    commits.push(commit);
    return perSecond;
  };
  const result = await compare(extent.rounds, ofService, ofLimit);
  await deployment.end();
  await limit.end();
  return { ...result, ...(!uri && { commitMs: summary(commits).median }) };
}

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { accessTokens } from '../lib/access-token.mjs';
import { load } from '../lib/load.mjs';
import { Program } from '../lib/program.mjs';
import { ACTIVATED, activation, CREATED, createProject } from '../lib/requests.mjs';
import { compare } from '../lib/rounds.mjs';
import { LIMITS_OFF, Service } from '../lib/service.mjs';
import { fill } from '../lib/fill.mjs';
import { summary } from '../lib/statistics.mjs';

const LOOP = fileURLToPath(new URL('../limits/sqlite-loop.mjs', import.meta.url));
/** Few enough that none is rejected, however slow the machine is. */
const CONNECTIONS = 32;
const ACCOUNTS = 8;

/** First activations of distinct keys, against a loop that commits each by itself. */
export async function activateOnSqlite({ folder, rounds, sqliteWrites }) {
  const size = { clients: 1, projects: 1, pending: sqliteWrites * (rounds + 1), active: 0 };
  const { accounts, world } = await fill({ DATA_DIR: path.join(folder, 'data') }, 1, size);
  const [{ _id, keys }] = accounts;
  const part = (round) => keys.slice(round * sqliteWrites, (round + 1) * sqliteWrites);
  return compareWrites(folder, rounds, {
    requests: (round) => part(round).map(activation),
    expected: ACTIVATED,
    kind: 'activate',
    records: (round) => part(round).map((key) => world.activationOf(_id, key)),
  });
}

/** Projects with their first licenses, against a loop that commits each by itself. */
export async function createProjectOnSqlite({ folder, rounds, sqliteWrites }) {
  const env = { DATA_DIR: path.join(folder, 'data') };
  const size = { clients: 1, projects: 1, pending: 1, active: 0 };
  const { accounts, world } = await fill(env, ACCOUNTS, size);
  const tokens = accessTokens(env, accounts);
  const requests = Array.from({ length: sqliteWrites }, (_, i) =>
    createProject(tokens[i % ACCOUNTS], accounts[i % ACCOUNTS].clients[0]),
  );
  const [{ _id, clients }] = accounts;
  return compareWrites(folder, rounds, {
    requests: () => requests,
    expected: CREATED,
    kind: 'createProject',
    records: () => Array.from({ length: sqliteWrites }, () => world.makeProject(_id, clients[0])),
  });
}

async function compareWrites(folder, rounds, { requests, expected, kind, records }) {
  const ofLoop = path.join(folder, 'of-the-loop');
  fs.cpSync(path.join(folder, 'data'), ofLoop, { recursive: true });
  const service = new Service(folder, LIMITS_OFF);
  const loop = new Program([LOOP]);
  const url = await service.listening();
  loop.send({ dataDir: ofLoop });
  await loop.message();

  const commits = [];
  const ofService = async (round) => {
    const job = { url, connections: CONNECTIONS, requests: requests(round), expected };
    return (await load(job)).perSecond;
  };
  const ofLimit = async (round) => {
    loop.send({ kind, records: records(round) });
    const { perSecond, commit } = await loop.message();
    commits.push(commit);
    return perSecond;
  };
  const result = await compare(rounds, ofService, ofLimit);
  await service.end();
  await loop.end();
  return { ...result, commitMs: summary(commits).median };
}

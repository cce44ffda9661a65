import fs from 'node:fs';
import type { Engine } from '../../test/engines.js';
import { type Program, withProgram } from '../../test/prove/processes.js';
import { times } from '../../test/prove/prove.js';
import type { Operator } from '../../test/smoke/operator.js';
import { byMachine, EXPECTED, type Job, load, post } from '../load.js';
import { atLeast, compare, ratio, type Row } from './row.js';
import { fill, onStore, ROUNDS } from './runs.js';

/** Per round. */
const WRITES = {
  SQLite: times({ short: 320, long: 6_400 }),
  MongoDB: times({ short: 256, long: 4_096 }),
};
const REFERENCES = {
  SQLite: { name: 'a loop, a commit each', program: 'bench/references/sqlite.mjs' },
  MongoDB: { name: 'the driver', program: 'bench/references/mongo.mjs' },
};

/** First activations of licenses per second. */
export const activate = (engine: Engine): Promise<Row[]> =>
  onStore(engine, async (operator, env) => {
    const size = WRITES[engine];
    const filled = await operator.start();
    const { keys } = await fill(filled, size * (ROUNDS + 1));
    const { project, token } = await fill(filled, size * (ROUNDS + 1));
    await filled.createActiveLicense({ token });
    await filled.end('SIGTERM');
    return withReference(engine, operator, { ...env, project }, async (reference) => {
      const { url } = await operator.start();
      const requests = keys.map((key) => byMachine('validate/activate', key));
      const job = { url, connections: 32, requests, expected: EXPECTED['validate/activate'] };
      const result = await againstReference(reference, 'activate', size, job);
      const target = atLeast(engine === 'SQLite' ? 0.5 : 0.75);
      const measured = `POST /validate/activate, ${engine}`;
      return [ratio(measured, REFERENCES[engine].name, target, result)];
    });
  });

/** Callers, their accounts, the divisor of `WRITES` per round (a single caller waits for each commit), and the target. */
const CREATORS = {
  SQLite: [
    { connections: 1, accounts: 1, part: 16, least: 0.4 },
    { connections: 32, accounts: 8, part: 1, least: 0.8 },
  ],
  MongoDB: [
    { connections: 1, accounts: 1, part: 16, least: 0.4 },
    { connections: 32, accounts: 1, part: 4, least: 3 },
    { connections: 32, accounts: 32, part: 4, least: 3 },
  ],
};

/** Projects created with their first license, per second. */
export async function createProject(engine: Engine): Promise<Row[]> {
  const rows: Row[] = [];
  for (const creators of CREATORS[engine]) rows.push(await createProjects(engine, creators));
  return rows;
}

const createProjects = (
  engine: Engine,
  { connections, accounts, part, least }: (typeof CREATORS)[Engine][number],
): Promise<Row> =>
  onStore(engine, async (operator, env) => {
    const filled = await operator.start();
    const owners: { token: string; client: string }[] = [];
    while (owners.length < accounts) owners.push(await fill(filled, 0));
    await filled.createActiveLicense(owners[0]!);
    await filled.end('SIGTERM');
    return withReference(engine, operator, env, async (reference) => {
      const { url } = await operator.start();
      const size = WRITES[engine] / part;
      const requests = Array.from({ length: size * (ROUNDS + 1) }, (_, i) => {
        // Each connection gets its own part of a round.
        const owner = owners[Math.floor((i % size) / (size / connections)) % accounts]!;
        const terms = { projectName: 'Shop', duration: 6, services: ['Hosting'] };
        const body = { clientId: owner.client, ...terms };
        return post('/projects/createProject', body, owner.token);
      });
      const job = { url, connections, requests, expected: EXPECTED.project };
      const result = await againstReference(reference, 'createProject', size, job);
      const callers = `${connections} callers, ${accounts} accounts`;
      const measured = `POST /projects/createProject, ${engine}, ${callers}`;
      return ratio(measured, REFERENCES[engine].name, atLeast(least), result);
    });
  });

/** Uses an engine's reference, which writes the licenses of a project, or all clients; on SQLite it has a copy of the store. */
function withReference<T>(
  engine: Engine,
  operator: Operator,
  { MONGODB_URI: uri, DATA_DIR, project }: NodeJS.ProcessEnv,
  use: (reference: Program) => Promise<T>,
): Promise<T> {
  const dataDir = operator.path('copy');
  if (!uri) fs.cpSync(String(DATA_DIR), dataDir, { recursive: true });
  return withProgram(REFERENCES[engine].program, async (reference) => {
    await reference.ask({ uri, dataDir, project });
    return use(reference);
  });
}

/** Compares rounds of this many requests with the same number of reference operations. */
const againstReference = (
  reference: Program,
  kind: string,
  count: number,
  { requests, ...job }: Job,
) =>
  compare(
    async (round) => {
      const part = requests.slice(round * count, (round + 1) * count);
      return (await load({ ...job, requests: part })).perSecond;
    },
    (round) =>
      reference.ask<number>({ kind, from: round * count, count, connections: job.connections }),
  );

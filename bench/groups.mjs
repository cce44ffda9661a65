import { findChromium } from './lib/find-chromium.mjs';
import { withReplicaSet } from './lib/replica-set.mjs';
import { consoleInBrowser, LICENSES_EACH } from './rows/console.mjs';
import { machines } from './rows/machines.mjs';
import { memoryGrowth, profileOfValidate, startAndRest } from './rows/process.mjs';
import { readClient, readSummary } from './rows/reads.mjs';
import { scale } from './rows/scale.mjs';
import { validate, validateWithCertificate, validateWithLimits } from './rows/validate.mjs';
import { MANY as WEBHOOKS, webhooks } from './rows/webhooks.mjs';
import { activate, createProjects } from './rows/writes.mjs';

/**
 * The extent of a run; `sqliteWrites`, `mongoWrites` and `deliveries` are of a round, `licenses` of one account, `machines`
 * of one license, `users` of a large store, who have 100 licenses each.
 */
export const FULL = {
  rounds: 7,
  seconds: 2,
  sqliteWrites: 6_400,
  mongoWrites: 3_200,
  validations: 1_000_000,
  deliveries: 3_200,
  licenses: 100_000,
  machines: 1_000,
  users: 10_000,
};
export const SHORT = {
  rounds: 1,
  seconds: 0.5,
  sqliteWrites: 320,
  mongoWrites: 160,
  validations: 40_000,
  deliveries: 64,
  licenses: 10_000,
  machines: 100,
  users: 1_000,
};

/** From this duration of a commit on, writes that share a commit must be as fast as a loop that commits each. */
const SLOW_COMMIT_MS = 0.25;

const atLeast = (value) => ({ least: value });
const atMost = (value) => ({ most: value });
const count = (number) => number.toLocaleString('en');

/**
 * A row of the table, whose value is the ratio to a limit.
 *
 * @param {string} id identifies the row in recorded results: `measured` contains the size of the run
 */
const ratio = (id, measured, against, target, { ratio: value, ...rest }) => ({
  ...{ id, measured, against, unit: '', target, value },
  ...rest,
});

/** A row whose value has a unit. */
const figure = (id, measured, target, unit, value) => ({
  ...{ id, measured, against: '', unit, target, value },
});

/** Measures on a new replica set of one member; nothing where there is no mongod. */
const onMongo = (extent, measure) =>
  withReplicaSet((uri) => {
    if (uri !== undefined) return measure({ ...extent, uri }, 'MongoDB');
    if (process.env.CI) throw new Error('No mongod was found');
    process.stderr.write('No mongod was found: nothing is measured on MongoDB\n');
    return [];
  });

const onBoth = async (extent, measure) => [
  ...(await measure(extent, 'SQLite')),
  ...(await onMongo(extent, measure)),
];

const FASTIFY = 'bare Fastify with the same response';
const DRIVER = 'the bare driver with a findOne and an update';
/** Of a license with many machines, against a license with one. */
const OF_MACHINES = { validation: 1.2, heartbeat: 1.2, activation: 2, release: 2 };

const ACTIVATIONS = [
  ['mongo-activate-driver', 1, 'one project'],
  ['mongo-activate-32', 32, '32 projects'],
];

const CREATIONS = [
  ['1', '1 caller', { connections: 1, accounts: 1, clients: 1 }],
  ['one-client', '32 callers below one client', { connections: 32, accounts: 1, clients: 1 }],
  ['32', '32 callers of 32 accounts', { connections: 32, accounts: 32, clients: 32 }],
  [
    ...['64', '64 callers of one account, four instances'],
    { connections: 64, accounts: 1, clients: 64, instances: 4 },
  ],
];

/** The measurements, by their names for --only; each returns rows of the table, or a profile. */
export const GROUPS = {
  async validate(extent) {
    const measured = 'POST /validate, SQLite, requests/s';
    return [ratio('validate', measured, FASTIFY, atLeast(0.6), await validate(extent))];
  },

  async limits(extent) {
    const measured = 'POST /validate, SQLite, limits on, requests/s';
    const result = await validateWithLimits(extent);
    return [ratio('validate-limits', measured, FASTIFY, atLeast(0.5), result)];
  },

  async certificates(extent) {
    const against = 'bare Fastify that signs the same bytes';
    const measured = 'POST /validate with a certificate, SQLite, requests/s';
    const result = await validateWithCertificate(extent);
    return [ratio('validate-certificate', measured, against, atLeast(0.6), result)];
  },

  async activate(extent) {
    const result = await activate(extent, 1, extent.sqliteWrites);
    const target = atLeast(result.commitMs >= SLOW_COMMIT_MS ? 1 : 0.5);
    const measured = 'POST /validate/activate, SQLite, requests/s';
    return [ratio('activate', measured, againstLoop(result), target, result)];
  },

  async createProject(extent) {
    const callers = { connections: 32, accounts: 8, clients: 8 };
    const result = await createProjects(extent, callers, extent.sqliteWrites);
    const measured = 'POST /projects/createProject, SQLite, requests/s';
    return [ratio('createProject', measured, againstLoop(result), atLeast(0.8), result)];
  },

  mongo: (extent) =>
    onMongo(extent, async (onServer) => {
      const on = (route) => `POST ${route}, MongoDB, requests/s`;
      const fastify = 'bare Fastify with a findOne for each request';
      const validated = await validate(onServer);
      const rows = [
        ratio('mongo-validate-fastify', on('/validate'), fastify, atLeast(1), validated),
      ];
      for (const [id, projects, below] of ACTIVATIONS) {
        const result = await activate(onServer, projects, extent.mongoWrites);
        const measured = on(`/validate/activate below ${below}`);
        rows.push(ratio(id, measured, DRIVER, atLeast(0.8), result));
      }
      return rows;
    }),

  creations: (extent) =>
    onMongo(extent, async (onServer) => {
      const against = 'the same inserts by the bare driver, without totals';
      const rows = [];
      for (const [id, name, callers] of CREATIONS) {
        const measured = `POST /projects/createProject, MongoDB, ${name}, requests/s`;
        // One caller waits for each commit.
        const writes = extent.mongoWrites / (callers.connections === 1 ? 16 : 4);
        const result = await createProjects(onServer, callers, writes);
        rows.push(ratio(`mongo-create-${id}`, measured, against, atLeast(0.5), result));
      }
      return rows;
    }),

  cluster: (extent) =>
    onMongo(extent, async (onServer) => {
      const of = { operations: ['validate'], connections: 64, instances: 4 };
      const [result] = await scale(onServer, of);
      const measured = `POST /validate, MongoDB, four instances, ${p99At(extent)}`;
      return [ratio('mongo-cluster', measured, 'at 1,000 licenses', atMost(1.5), result)];
    }),

  async scale(extent) {
    const operations = ['validate', 'dashboard', 'activate'];
    const results = await scale(extent, { operations, connections: 10 });
    return operations.map((operation, index) => {
      const measured = `${operation}, ${p99At(extent)}`;
      const [id, against] = [`p99-${operation}`, 'at 1,000 licenses of 10 users'];
      return ratio(id, measured, against, atMost(1.5), results[index]);
    });
  },

  machines: (extent) =>
    onBoth(extent, async (onEngine, engine) => {
      const results = await machines(onEngine);
      return Object.entries(OF_MACHINES).map(([operation, most]) => {
        const id = `machines-${engine.toLowerCase()}-${operation}`;
        const measured = `${operation}, ${engine}, p50 of a license of ${count(extent.machines)} machines`;
        return ratio(id, measured, 'of a single machine', atMost(most), results[operation]);
      });
    }),

  reads: (extent) =>
    onBoth(extent, async (onEngine, engine) => {
      const [id, most] = onEngine.uri ? ['read-mongo', 3] : ['read', 1];
      const measured = `GET /clients/:id, ${engine}, p50 of one caller`;
      return [figure(id, measured, atMost(most), 'ms', await readClient(onEngine))];
    }),

  webhooks: (extent) =>
    onBoth(extent, async (onEngine, engine) => {
      const { one, many, activation } = await webhooks(onEngine);
      const id = `webhooks-${engine.toLowerCase()}`;
      const drained = (suffix, of, { perSecond, cost }) => {
        const measured = `deliveries of a backlog, ${engine}, ${of}`;
        const time = `processor time of one of them, ${engine}, ${of}`;
        return [
          figure(`${id}-${suffix}`, measured, atLeast(100), '/s', perSecond),
          figure(`${id}-${suffix}-cpu`, time, atMost(5), 'ms', cost),
        ];
      };
      const measured = `POST /validate/activate, ${engine}, with a webhook, delivered meanwhile`;
      const against = 'the same of an account without webhooks';
      return [
        ...drained('one', 'one webhook', one),
        ...drained('many', `${WEBHOOKS} webhooks of as many accounts`, many),
        ratio(`${id}-activation`, measured, against, atLeast(0.5), activation),
      ];
    }),

  async summary(extent) {
    const measured = `GET /dashboard/summary of ${count(extent.licenses)} licenses`;
    return [figure('summary', measured, atMost(300), 'ms', await readSummary(extent))];
  },

  async console(extent) {
    const executablePath = findChromium(process.env);
    if (executablePath === undefined) {
      if (process.env.CI) throw new Error('No Chromium was found');
      process.stderr.write('No Chromium was found: nothing is measured of the console\n');
      return [];
    }
    const measured = await consoleInBrowser(extent, executablePath);
    const { script, content, task, search, overview, next } = measured;
    const licenses = `${count(extent.licenses)} licenses`;
    const clients = `search of ${count(extent.licenses / LICENSES_EACH)} clients`;
    const page = `slowest page after a click, ${licenses}`;
    return [
      figure('console-script', 'script of the first page, gzipped', atMost(150), 'kB', script),
      figure('console-content', 'first content', atMost(1000), 'ms', content),
      figure('console-list', 'longest task, list of 100 licenses', atMost(50), 'ms', task),
      ratio('console-search', clients, 'of 100', atMost(1.5), search),
      figure(
        'console-overview',
        `overview of ${licenses}, not cached`,
        atMost(600),
        'ms',
        overview,
      ),
      figure('console-next', page, atMost(100), 'ms', next),
    ];
  },

  async start(extent) {
    const { start, npmStart, memory } = await startAndRest(extent);
    return [
      figure('start', 'node to the first response', atMost(0.55), 's', start),
      figure('npm-start', 'npm start to the first response', atMost(0.8), 's', npmStart),
      figure('memory', 'resident memory at rest', atMost(125), 'MB', memory),
    ];
  },

  async growth(extent) {
    const memories = await memoryGrowth(extent);
    const grown = memories.at(-1) / memories[0];
    const measured = `resident memory after ${count(extent.validations)} validations`;
    const result = { ratio: { median: grown, least: grown, most: grown }, memories };
    return [ratio('growth', measured, 'after a quarter of them', atMost(1.1), result)];
  },

  async profile(extent) {
    const { functions, packages } = await profileOfValidate(extent);
    const top = (list, length) =>
      list.slice(0, length).map(([name, microseconds]) => ({ name, microseconds }));
    return { profile: { functions: top(functions, 10), packages: top(packages, 20) } };
  },
};

const againstLoop = ({ commitMs }) =>
  `the same statements, a commit each (${commitMs.toFixed(2)} ms)`;

/** Every user has 100 licenses. */
const p99At = ({ users }) => `p99 at ${count(users * 100)} licenses`;

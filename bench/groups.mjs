import { findChromium } from './lib/find-chromium.mjs';
import { consoleInBrowser, LICENSES_EACH } from './rows/console.mjs';
import { manyMachines } from './rows/machines.mjs';
import { onMongo } from './rows/mongo.mjs';
import {
  createProjectsOnMongo,
  CREATIONS,
  licensesOf,
  validateInCluster,
} from './rows/mongo-cluster.mjs';
import { memoryGrowth, profileOfValidate, startAndRest } from './rows/process.mjs';
import { authenticatedRead, authenticatedReadOnMongo } from './rows/reads.mjs';
import { scale } from './rows/scale.mjs';
import { activateOnSqlite, createProjectOnSqlite } from './rows/sqlite-writes.mjs';
import { dashboardSummary } from './rows/summary.mjs';
import { validate, validateWithCertificate, validateWithLimits } from './rows/validate.mjs';
import { MANY as WEBHOOKS, webhooks, webhooksOnMongo } from './rows/webhooks.mjs';
import { withReplicaSet } from './lib/replica-set.mjs';

/**
 * The extent of a run; `sqliteWrites`, `mongoWrites` and `deliveries` are of a round, `licenses` of one account, `machines`
 * of one license.
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
  large: 10_000,
  clusterUsers: 1_000,
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
  large: 1_000,
  clusterUsers: 20,
};

/** From this duration of a commit on, writes that share a commit must be as fast as a loop that commits each. */
const SLOW_COMMIT_MS = 0.25;

const atLeast = (value) => ({ least: value });
const atMost = (value) => ({ most: value });
const count = (number) => number.toLocaleString('en');

/**
 * A row of the table. Its value is the ratio to the limit, if there is a limit.
 *
 * @param {string} id identifies the row in recorded results: `measured` contains the size of the run
 */
function row(id, measured, against, target, unit, { ratio, service, limit, ...rest }) {
  const value = ratio ?? service;
  return { id, measured, against, unit, target, value, ...(ratio && { service, limit }), ...rest };
}

/** Measures on a new replica set of one member; nothing where there is no mongod. */
const withMongo = (measure) =>
  withReplicaSet((uri) => {
    if (uri !== undefined) return measure(uri);
    if (process.env.CI) throw new Error('No mongod was found');
    process.stderr.write('No mongod was found: nothing is measured on MongoDB\n');
    return { rows: [] };
  });

/** The measurements, by their names for --only; each returns rows of the table. */
export const GROUPS = {
  async validate(extent) {
    const against = 'bare Fastify with the same response';
    const measured = 'POST /validate, SQLite, requests/s';
    return {
      rows: [row('validate', measured, against, atLeast(0.6), '', await validate(extent))],
    };
  },

  async limits(extent) {
    const against = 'bare Fastify with the same response';
    const measured = 'POST /validate, SQLite, limits on, requests/s';
    const result = await validateWithLimits(extent);
    return { rows: [row('validate-limits', measured, against, atLeast(0.5), '', result)] };
  },

  async certificates(extent) {
    const against = 'bare Fastify that signs the same bytes';
    const measured = 'POST /validate with a certificate, SQLite, requests/s';
    const result = await validateWithCertificate(extent);
    return { rows: [row('validate-certificate', measured, against, atLeast(0.6), '', result)] };
  },

  async activate(extent) {
    const result = await activateOnSqlite(extent);
    const target = atLeast(result.commitMs >= SLOW_COMMIT_MS ? 1 : 0.5);
    const against = `the same statements, a commit each (${result.commitMs.toFixed(2)} ms)`;
    const measured = 'POST /validate/activate, SQLite, requests/s';
    return { rows: [row('activate', measured, against, target, '', result)] };
  },

  async createProject(extent) {
    const result = await createProjectOnSqlite(extent);
    const against = `the same statements, a commit each (${result.commitMs.toFixed(2)} ms)`;
    const measured = 'POST /projects/createProject, SQLite, requests/s';
    return { rows: [row('createProject', measured, against, atLeast(0.8), '', result)] };
  },

  mongo: (extent) =>
    withMongo(async (uri) => {
      const [validate, ofOne, ofMany] = await onMongo(extent, uri);
      const on = (route) => `POST ${route}, MongoDB, requests/s`;
      const fastify = 'bare Fastify with a findOne for each request';
      const driver = 'the bare driver with a findOne and an update';
      const activate = (id, projects, result) =>
        row(id, on(`/validate/activate below ${projects}`), driver, atLeast(0.8), '', result);
      return {
        rows: [
          row('mongo-validate-fastify', on('/validate'), fastify, atLeast(1), '', validate),
          activate('mongo-activate-driver', 'one project', ofOne),
          activate('mongo-activate-32', '32 projects', ofMany),
        ],
      };
    }),

  creations: (extent) =>
    withMongo(async (uri) => {
      const results = await createProjectsOnMongo(extent, uri);
      const against = 'the same inserts by the bare driver, without totals';
      const ids = ['1', 'one-client', '32', '64'];
      const rows = Object.keys(CREATIONS).map((callers, index) => {
        const measured = `POST /projects/createProject, MongoDB, ${callers}, requests/s`;
        return row(
          `mongo-create-${ids[index]}`,
          measured,
          against,
          atLeast(0.5),
          '',
          results[index],
        );
      });
      return { rows };
    }),

  cluster: (extent) =>
    withMongo(async (uri) => {
      const result = await validateInCluster(extent, uri);
      const size = count(licensesOf(extent.clusterUsers));
      const measured = `POST /validate, MongoDB, four instances, p99 at ${size} licenses`;
      const against = 'at 1,000 licenses';
      return { rows: [row('mongo-cluster', measured, against, atMost(1.5), '', result)] };
    }),

  async scale(extent) {
    const users = { large: extent.large, small: 10 };
    const results = await scale(extent, users);
    const against = 'at 1,000 licenses of 10 users';
    const size = `p99 at ${count(users.large * 100)} licenses`;
    return {
      rows: ['validate', 'activate', 'dashboard'].map((operation, index) =>
        row(`p99-${operation}`, `${operation}, ${size}`, against, atMost(1.5), '', results[index]),
      ),
    };
  },

  async machines(extent) {
    const results = await manyMachines(extent);
    const size = `p50 of a license of ${count(extent.machines)} machines`;
    const targets = { validation: 1.5, activation: 15, 'list of machines': 100 };
    return {
      rows: Object.entries(targets).map(([operation, target], index) => {
        const measured = `${operation}, ${size}`;
        const id = `machines-${operation.split(' ')[0]}`;
        return row(id, measured, 'of a single machine', atMost(target), '', results[index]);
      }),
    };
  },

  async reads(extent) {
    const read = (id, engine, most, service) =>
      row(id, `GET /clients/:id, ${engine}, p50 of one caller`, '', atMost(most), 'ms', {
        service,
      });
    const onSqlite = await authenticatedRead(extent);
    const { rows } = await withMongo(async (uri) => {
      const service = await authenticatedReadOnMongo(extent, uri);
      return { rows: [read('read-mongo', 'MongoDB', 3, service)] };
    });
    return { rows: [read('read', 'SQLite', 1, onSqlite), ...rows] };
  },

  async webhooks(extent) {
    const rows = (engine, { one, many, activation }) => {
      const id = `webhooks-${engine.toLowerCase()}`;
      const drained = (suffix, of, { perSecond, cost }) => {
        const measured = `deliveries of a backlog, ${engine}, ${of}`;
        const time = `processor time of one of them, ${engine}, ${of}`;
        return [
          row(`${id}-${suffix}`, measured, '', atLeast(100), '/s', { service: perSecond }),
          row(`${id}-${suffix}-cpu`, time, '', atMost(5), 'ms', { service: cost }),
        ];
      };
      const measured = `POST /validate/activate, ${engine}, with a webhook, delivered meanwhile`;
      const against = 'the same of an account without webhooks';
      return [
        ...drained('one', 'one webhook', one),
        ...drained('many', `${WEBHOOKS} webhooks of as many accounts`, many),
        row(`${id}-activation`, measured, against, atLeast(0.5), '', activation),
      ];
    };
    const onSqlite = await webhooks(extent);
    const onMongo = await withMongo(async (uri) => ({
      rows: rows('MongoDB', await webhooksOnMongo(extent, uri)),
    }));
    return { rows: [...rows('SQLite', onSqlite), ...onMongo.rows] };
  },

  async summary(extent) {
    const measured = `GET /dashboard/summary of ${count(extent.licenses)} licenses`;
    const service = await dashboardSummary(extent);
    return { rows: [row('summary', measured, '', atMost(300), 'ms', { service })] };
  },

  async console(extent) {
    const executablePath = findChromium(process.env);
    if (executablePath === undefined) {
      if (process.env.CI) throw new Error('No Chromium was found');
      process.stderr.write('No Chromium was found: nothing is measured of the console\n');
      return { rows: [] };
    }
    const measured = await consoleInBrowser({ ...extent, executablePath });
    const { script, content, task, search, overview, next } = measured;
    const licenses = `${count(extent.licenses)} licenses`;
    const clients = `search of ${count(extent.licenses / LICENSES_EACH)} clients`;
    return {
      rows: [
        row('console-script', 'script of the first page, gzipped', '', atMost(150), 'kB', {
          service: script,
        }),
        row('console-content', 'first content', '', atMost(1000), 'ms', { service: content }),
        row('console-list', 'longest task, list of 100 licenses', '', atMost(50), 'ms', {
          service: task,
        }),
        row('console-search', clients, 'of 100', atMost(1.5), '', search),
        row('console-overview', `overview of ${licenses}, not cached`, '', atMost(600), 'ms', {
          service: overview,
        }),
        row('console-next', `slowest page after a click, ${licenses}`, '', atMost(100), 'ms', {
          service: next,
        }),
      ],
    };
  },

  async start(extent) {
    const { start, npmStart, memory } = await startAndRest(extent);
    return {
      rows: [
        row('start', 'node to the first response', '', atMost(0.55), 's', { service: start }),
        row('npm-start', 'npm start to the first response', '', atMost(0.8), 's', {
          service: npmStart,
        }),
        row('memory', 'resident memory at rest', '', atMost(125), 'MB', { service: memory }),
      ],
    };
  },

  async growth(extent) {
    const memories = await memoryGrowth(extent);
    const [first, , , last] = memories;
    const measured = `resident memory after ${count(extent.validations)} validations`;
    const ratio = { median: last / first, least: last / first, most: last / first };
    return {
      rows: [
        row('growth', measured, 'after a quarter of them', atMost(1.1), '', { ratio, memories }),
      ],
    };
  },

  async profile(extent) {
    const { functions, packages } = await profileOfValidate(extent);
    const top = (list, count) =>
      list.slice(0, count).map(([name, microseconds]) => ({ name, microseconds }));
    return { rows: [], profile: { functions: top(functions, 10), packages: top(packages, 20) } };
  },
};

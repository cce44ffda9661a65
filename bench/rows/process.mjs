import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Deployment } from '../lib/deployment.mjs';
import { load } from '../lib/load.mjs';
import { readProfile } from '../lib/profile.mjs';
import { VALID, validation } from '../lib/requests.mjs';
import { START_ARGUMENTS } from '../lib/start-arguments.mjs';
import { summary } from '../lib/statistics.mjs';

const CONNECTIONS = 20;
const ACTIVE = { clients: 10, projects: 10, pending: 0, active: 10 };
/** `npm start`: a process of npm, whose child is the service. */
const NPM_START = {
  args: [process.env.npm_execpath, 'start'],
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
};

/**
 * Seconds from starting node and `npm start`, which has nothing to build, until the first response; and the resident
 * memory of the service three seconds later.
 */
export async function startAndRest(extent) {
  const deployment = await fillActive(extent);
  const starts = [];
  const npmStarts = [];
  const memories = [];
  for (let round = 0; round < extent.rounds; round++) {
    npmStarts.push(await untilResponse(deployment, NPM_START));
    await deployment.end();
    starts.push(await untilResponse(deployment));
    await sleep(3000);
    memories.push(deployment.memory() / 1e6);
    await deployment.end();
  }
  return { start: summary(starts), npmStart: summary(npmStarts), memory: summary(memories) };
}

/** Starts the service; returns the seconds until its first response. */
async function untilResponse(deployment, options) {
  const begin = performance.now();
  const [url] = await deployment.start(options);
  const response = await fetch(`${url}/health/ready`);
  if (!response.ok) throw new Error(`The first response is ${response.status}`);
  await response.arrayBuffer();
  return (performance.now() - begin) / 1000;
}

/** Resident memory after each quarter of this many validations, in MB. */
export async function memoryGrowth(extent) {
  const deployment = await fillActive(extent);
  const job = validationsOf(deployment, await deployment.start());
  const memories = [];
  for (let part = 1; part <= 4; part++) {
    await load({ ...job, amount: extent.validations / 4 });
    await sleep(1000);
    memories.push(deployment.memory() / 1e6);
  }
  await deployment.end();
  return memories;
}

/** The CPU time of validations by function and package; see {@link readProfile}. */
export async function profileOfValidate(extent) {
  const { folder, seconds } = extent;
  const deployment = await fillActive(extent);
  const options = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200'];
  const url = await deployment.start({ args: [...options, ...START_ARGUMENTS] });
  const job = validationsOf(deployment, url);
  await load({ ...job, seconds: 2 });
  const from = process.hrtime.bigint();
  const { count } = await load({ ...job, seconds: 2 * seconds });
  await deployment.end();
  return readProfile(folder, from, count);
}

const fillActive = (extent) => Deployment.fill(extent, (store) => store.add(ACTIVE));

/** Validations of each license of the store. */
const validationsOf = ({ filled }, url) => ({
  ...{ url, connections: CONNECTIONS, expected: VALID },
  requests: filled.keys.map(validation),
});

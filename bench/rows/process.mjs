import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from '../lib/load.mjs';
import { readProfile } from '../lib/profile.mjs';
import { VALID, validation } from '../lib/requests.mjs';
import { LIMITS_OFF, NpmStart, Service } from '../lib/service.mjs';
import { fill } from '../lib/fill.mjs';
import { summary } from '../lib/statistics.mjs';

const CONNECTIONS = 20;
const ACTIVE = { clients: 10, projects: 10, pending: 0, active: 10 };

/**
 * Seconds from starting node and `npm start`, which has nothing to build, until the first response; and the resident
 * memory of the service three seconds later.
 */
export async function startAndRest({ folder, rounds }) {
  await fillActive(folder);
  const starts = [];
  const npmStarts = [];
  const memories = [];
  for (let round = 0; round < rounds; round++) {
    const npmStart = await untilResponse(() => new NpmStart(folder), npmStarts);
    await npmStart.end();
    const service = await untilResponse(() => new Service(folder), starts);
    await sleep(3000);
    memories.push(service.memory() / 1e6);
    await service.end();
  }
  return { start: summary(starts), npmStart: summary(npmStarts), memory: summary(memories) };
}

/** Starts a program, and adds the seconds until its first response. */
async function untilResponse(start, seconds) {
  const begin = performance.now();
  const program = start();
  const response = await fetch(`${await program.listening()}/health/ready`);
  if (!response.ok) throw new Error(`The first response is ${response.status}`);
  await response.arrayBuffer();
  seconds.push((performance.now() - begin) / 1000);
  return program;
}

/** Resident memory after each quarter of this many validations, in MB. */
export async function memoryGrowth({ folder, validations }) {
  const requests = await fillActive(folder);
  const service = new Service(folder, LIMITS_OFF);
  const url = await service.listening();
  const job = { url, connections: CONNECTIONS, requests, expected: VALID };
  const memories = [];
  for (let part = 1; part <= 4; part++) {
    await load({ ...job, amount: validations / 4 });
    await sleep(1000);
    memories.push(service.memory() / 1e6);
  }
  await service.end();
  return memories;
}

/** The CPU time of validations by function and package; see {@link readProfile}. */
export async function profileOfValidate({ folder, seconds }) {
  const requests = await fillActive(folder);
  const options = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200'];
  const service = new Service(folder, LIMITS_OFF, options);
  const url = await service.listening();
  const job = { url, connections: CONNECTIONS, requests, expected: VALID };
  await load({ ...job, seconds: 2 });
  const from = process.hrtime.bigint();
  const { count } = await load({ ...job, seconds: 2 * seconds });
  await service.end();
  return readProfile(folder, from, count);
}

/** Fills the store; returns a validation of each of its licenses. */
async function fillActive(folder) {
  const { accounts } = await fill({ DATA_DIR: path.join(folder, 'data') }, 1, ACTIVE);
  return accounts[0].keys.map(validation);
}

import type { Page } from 'playwright-core';
import { accept, addApiKey, invite } from '../e2e/access/member.js';
import { createClient, type Developer, PASSWORD } from '../e2e/developer.js';
import type { ConsoleUnderTest } from './console-under-test.js';

const CLIENTS = [
  ['Kestrel Logistics', 'it@kestrel.example'],
  ['Brightwater Studios', 'office@brightwater.example'],
  ['Hansen & Partner', 'support@hansen.example'],
  ['Oakridge Dental Group', 'admin@oakridge.example'],
  ['Lumen Architects', 'studio@lumen.example'],
] as const;

const PRODUCTS = [
  ['Draft Desk', 'com.example.draft-desk'],
  ['Site Planner', 'com.example.site-planner'],
] as const;

/** The terms of the licenses of each project. */
const TERMS = [
  { days: 5, maxMachines: 3 },
  { days: 180, maxMachines: 1 },
  { days: 365, maxMachines: 5 },
  { days: 730, maxMachines: 1 },
];

const MACHINES = ['Front desk', 'Studio 1', 'Laptop of Grace'];

/** First activations a day, of which a new account cannot have any in the past. */
const ACTIVATIONS = [
  ...[2, 1, 0, 3, 4, 2, 5, 1, 0, 4, 6, 3, 2, 5, 7],
  ...[3, 1, 2, 6, 4, 8, 5, 2, 3, 7, 9, 6, 4, 8, 10],
];

/**
 * The account of a small software house.
 *
 * @returns its owner, and a license in use
 */
export async function createSoftwareHouse(
  tested: ConsoleUnderTest,
): Promise<{ developer: Pick<Developer, 'email'>; license: string }> {
  const { service } = tested;
  const email = 'ada@tidewater.example';
  const owner = { name: 'Ada Lovelace', email, password: PASSWORD };
  const { accessToken: token, user } = (await service.post('/auth/register', owner)).body;
  const developer: Developer = { _id: user._id, email, token };
  const post = async (path: string, body: object) =>
    (await service.post(path, body, developer)).body;
  const { invitation } = (await invite(service, developer, 'support', 'grace@tidewater.example'))
    .body;
  await accept(service, invitation, { name: 'Grace Hopper' });
  await addApiKey(service, developer, ['licenses:read', 'licenses:write'], { name: 'Web shop' });
  const licenses: { _id: string; key: string }[] = [];
  for (const [index, [name, address]] of CLIENTS.entries()) {
    const client = await createClient(service, developer, { name, email: address });
    const [projectName, product] = PRODUCTS[index % PRODUCTS.length]!;
    const [first, ...others] = TERMS;
    const services = ['Hosting'];
    const terms = { clientId: client._id, projectName, product, services, ...first };
    const { project, license } = await post('/projects/createProject', terms);
    licenses.push(license);
    for (const more of others) {
      const path = `/projects/${project._id}/licenses`;
      licenses.push((await post(path, { services, ...more })).license);
    }
  }
  for (const [index, { key }] of licenses.entries()) {
    if (index % 4 === 3) continue;
    const fingerprint = `fingerprint-of-machine-${index}`;
    await post('/validate/activate', { key, fingerprint, machineName: MACHINES[index % 3] });
  }
  await post(`/licenses/${licenses[9]!._id}/suspend`, {});
  await post(`/licenses/${licenses[14]!._id}/revoke`, { reason: 'Refund' });
  const shown = licenses.at(-2)!;
  for (const machineName of MACHINES.slice(1)) {
    const fingerprint = `fingerprint-of-${machineName}`;
    await post('/validate/activate', { key: shown.key, fingerprint, machineName });
  }
  await post(`/licenses/${shown._id}/renew`, { duration: 6 });
  return { developer, license: shown._id };
}

/** Shows activations of the past on the overview. */
export const showPastActivations = (page: Page) =>
  page.route('**/dashboard/summary*', async (route) => {
    const response = await route.fetch();
    const summary = await response.json();
    const days = summary.activationsPerDay as { date: string; count: number }[];
    const activationsPerDay = days.map((day, at) => ({ ...day, count: ACTIVATIONS[at] ?? 0 }));
    await route.fulfill({ response, json: { ...summary, activationsPerDay } });
  });

import type { Page } from 'playwright-core';
import type { CreatedLicense } from '../e2e/developer.js';
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
  { duration: null, days: 5, maxMachines: 3 },
  { duration: null, days: 180, maxMachines: 1 },
  { duration: null, days: 365, maxMachines: 5 },
  { duration: null, days: 730, maxMachines: 1 },
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
export async function createSoftwareHouse({ service }: ConsoleUnderTest) {
  const owner = { name: 'Ada Lovelace', email: 'ada@tidewater.example' };
  const developer = await service.register(owner);
  const licenses: CreatedLicense[] = [];
  for (const [index, [name, address]] of CLIENTS.entries()) {
    const client = await service.createClient(developer, { name, email: address });
    const [projectName, product] = PRODUCTS[index % PRODUCTS.length]!;
    const [first, ...others] = TERMS;
    const terms = { projectName, product, ...first };
    const { project, license } = await service.createProject(developer, client._id, terms);
    licenses.push(license);
    for (const more of others) {
      licenses.push(await service.addLicense(developer, project._id, more));
    }
  }
  const activateOn = async ({ key }: CreatedLicense, machineName: string) => {
    const fingerprint = `fingerprint-of-${machineName}`;
    await service.post('/validate/activate', { key, fingerprint, machineName });
  };
  for (const [index, license] of licenses.entries()) {
    if (index % 4 !== 3) await activateOn(license, MACHINES[index % 3]!);
  }
  const shown = licenses.at(-2)!;
  for (const machine of MACHINES.slice(1)) await activateOn(shown, machine);
  for (const [license, change, body] of [
    [licenses[9]!, 'suspend', {}],
    [licenses[14]!, 'revoke', { reason: 'Refund' }],
    [shown, 'renew', { duration: 6 }],
  ] as const) {
    await service.post(`/licenses/${license._id}/${change}`, body, developer);
  }
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

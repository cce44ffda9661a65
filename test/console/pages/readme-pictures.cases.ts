import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Route } from 'playwright-core';
import type { CreatedLicense } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import { describeConsole } from '../console-under-test.js';

/** The folder of the pictures; `npm run readme-pictures` sets that of the README. */
const { PICTURES = fs.mkdtempSync(path.join(os.tmpdir(), 'pictures-')) } = process.env;

/** The largest size of a picture, in bytes: a reader of the README loads both. It varies by some kilobytes with keys and dates. */
const MAX_SIZE = 200_000;

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

describeConsole('The pictures of the README', (tested) => {
  it('show the overview in light and a license in dark, in less than 200 kB each', async () => {
    const { developer, license } = await createSoftwareHouse(tested.service);
    const page = await tested.openAs(developer, '', { viewport: { width: 1280, height: 800 } });
    await page.route('**/dashboard/summary*', showPastActivations);
    for (const [name, address, text, colorScheme] of [
      ['overview', '', 'Expiring soon', 'light'],
      ['license', `/licenses/${license}`, 'Studio 1', 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(tested.url + address);
      await page.getByText(text).first().waitFor();
      await page.waitForLoadState('networkidle');
      const file = path.join(PICTURES, `${name}.png`);
      await page.screenshot({ path: file });
      expect(fs.statSync(file).size).toBeLessThan(MAX_SIZE);
    }
  });
});

/** The account of a small software house: its owner, and the id of a license in use. */
async function createSoftwareHouse(service: HttpCaller) {
  const owner = { name: 'Ada Lovelace', email: 'ada@tidewater.example' };
  const developer = await service.register(owner);
  const licenses: CreatedLicense[] = [];
  for (const [index, [name, email]] of CLIENTS.entries()) {
    const client = await service.createClient(developer, { name, email });
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
async function showPastActivations(route: Route): Promise<void> {
  const response = await route.fetch();
  const summary = await response.json();
  const days = summary.activationsPerDay as { date: string; count: number }[];
  const activationsPerDay = days.map((day, at) => ({ ...day, count: ACTIVATIONS[at] ?? 0 }));
  await route.fulfill({ response, json: { ...summary, activationsPerDay } });
}

import type { Page } from 'playwright-core';
import { PASSWORD } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import { chooseAction, copied } from '../steps.js';
import { LicensedMachine } from '../licensed-machine.js';

const PRODUCT = 'com.example.web-shop';
/** JSON web tokens begin so. */
const TOKEN = /eyJ/;
const KEY = /LIC-[0-9a-f]{24}(-[0-9A-Z]{4}){3}/i;

describeConsole('From an account to a revoked license in the console', (tested) => {
  it('lets somebody who has never seen it create, copy, activate, see and revoke a license', async () => {
    const page = await tested.open();
    await createAccount(page);
    await createClient(page);
    await createProject(page);

    const held = await everythingThatPageHolds(page);
    expect(held).not.toMatch(KEY);
    expect(held).not.toMatch(TOKEN);
    await page.getByRole('button', { name: 'Copy key' }).click();
    const key = await copied(page);
    expect(key).toMatch(KEY);
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Show key' }).click();
    await page.getByText(key).waitFor();

    const machine = new LicensedMachine(tested, PRODUCT, await signingKeys(page));
    expect(await machine.call('activate', key)).toMatchObject({ state: 'valid' });
    // The page shows the activation by itself.
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByText('The software · Machine').waitFor();

    await chooseAction(page, 'Revoke');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Contract ended');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('License revoked successfully').waitFor();
    await page.getByRole('definition').getByText('Contract ended').waitFor();
    expect(await machine.call('refresh')).toMatchObject({ state: 'revoked' });

    expect(tested.service.stdout).not.toContain(key);
    expect(tested.service.stdout).not.toContain(PASSWORD);
  });
});

async function createAccount(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Create account' }).click();
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('E-mail').fill('ada@studio.example');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

async function createClient(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Clients' }).click();
  await page.getByRole('button', { name: 'New client' }).click();
  await page.getByLabel('Name').fill('Acme Ltd');
  await page.getByLabel('E-mail').fill('office@acme.example');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Acme Ltd' }).waitFor();
}

async function createProject(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByLabel('Project name').fill('Web shop');
  await page.getByLabel('Duration (months)').fill('6');
  await page.getByRole('checkbox', { name: 'Hosting' }).check();
  await page.getByLabel('Product').fill(PRODUCT);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'License of Web shop' }).waitFor();
}

/** The document with its title, the address with its state, and all that the browser stores for the page. */
async function everythingThatPageHolds(page: Page): Promise<string> {
  const stored = await page.context().storageState();
  const own = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, history.state]));
  const { origins } = stored;
  return [await page.content(), await page.title(), page.url(), own, JSON.stringify(origins)].join(
    '\n',
  );
}

/** The keys that the page of signing keys shows. */
async function signingKeys(page: Page) {
  const other = await page.context().newPage();
  await other.goto(new URL('/console/account/signing-keys', page.url()).href);
  await other.getByRole('button', { name: 'Copy keys' }).click();
  const keys = await copied(other);
  await other.close();
  return JSON.parse(keys) as {
    issuer: string;
    current: object;
    next: object;
  };
}

import type { Page } from 'playwright-core';
import { describeConsole } from '../console-under-test.js';
import { licensedMachine } from '../licensed-machine.js';
import { chooseAction, copied, submit } from '../steps.js';

const PRODUCT = 'com.example.web-shop';
/** JSON web tokens begin so. */
const TOKEN = /eyJ/;
const KEY = /LIC-[0-9a-f]{24}(-[0-9A-Z]{4}){3}/i;

describeConsole('The console, from a project to a revoked license,', (tested) => {
  it('holds no token, and no key until it is copied, and shows an activation and a revocation by itself', async () => {
    const developer = await tested.service.register();
    const client = await tested.service.createClient(developer);
    const page = await tested.openAs(developer, `/clients/${client._id}`);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Project name').fill('Web shop');
    await page.getByLabel('Duration (months)').fill('6');
    await page.getByRole('checkbox', { name: 'Hosting' }).check();
    await submit(page, 'Create', { Product: PRODUCT });
    await page.getByRole('heading', { name: 'License of Web shop' }).waitFor();

    const held = await everythingThatPageHolds(page);
    expect(held).not.toMatch(KEY);
    expect(held).not.toMatch(TOKEN);
    await page.getByRole('button', { name: 'Copy key' }).click();
    const key = await copied(page);
    expect(key).toMatch(KEY);
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Show key' }).click();
    await page.getByText(key).waitFor();

    const keys = (await tested.service.get('/signing-keys', developer)).body;
    const call = licensedMachine(tested, PRODUCT, keys);
    expect(await call('activate', key)).toMatchObject({ state: 'valid' });
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByText('The software · Machine').waitFor();

    await chooseAction(page, 'Revoke');
    const dialog = page.getByRole('dialog');
    await submit(dialog, 'Revoke', { Reason: 'Contract ended' });
    await page.getByText('License revoked successfully').waitFor();
    await page.getByRole('definition').getByText('Contract ended').waitFor();
    expect(await call('refresh')).toMatchObject({ state: 'revoked' });
    expect(tested.service.stdout).not.toContain(key);
  });
});

/** The document with its title, the address with its state, and all that the browser stores for the page. */
async function everythingThatPageHolds(page: Page): Promise<string> {
  const stored = await page.context().storageState();
  const own = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, history.state]));
  const { origins } = stored;
  return [await page.content(), await page.title(), page.url(), own, JSON.stringify(origins)].join(
    '\n',
  );
}

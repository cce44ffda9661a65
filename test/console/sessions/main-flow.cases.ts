import type { Page } from 'playwright-core';
import { describeConsole } from '../console-under-test.js';
import { copied, submit } from '../steps.js';

/** JSON web tokens begin so. */
const TOKEN = /eyJ/;
const KEY = /LIC-[0-9a-f]{24}(-[0-9A-Z]{4}){3}/i;

describeConsole('The console, from a project to an activated license,', (tested) => {
  const developer = tested.useDeveloper();

  it('holds no token, and no key until it is copied, and shows an activation by itself', async () => {
    const client = await tested.service.createClient(developer);
    const page = await tested.openAs(developer, `/clients/${client._id}`);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('checkbox', { name: 'Hosting' }).check();
    await submit(page, 'Create', { 'Project name': 'Web shop', 'Duration (months)': '6' });
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

    await tested.service.activate({ key });
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByText('The software · Machine').waitFor();
  });
});

/** The document with its title, the address with its state, and all that the browser stores for the page. */
async function everythingThatPageHolds(page: Page): Promise<string> {
  const { origins } = await page.context().storageState();
  const own = await page.evaluate(() => [{ ...sessionStorage }, history.state, document.title]);
  return JSON.stringify([await page.content(), page.url(), own, origins]);
}

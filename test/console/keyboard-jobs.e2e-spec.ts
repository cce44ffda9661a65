import fs from 'node:fs';
import {
  activate,
  createClient,
  createLicense,
  createProject,
  type Developer,
  LAPTOP,
  PASSWORD,
} from '../e2e/developer.js';
import type { Page } from 'playwright-core';
import { describeConsole } from './console-under-test.js';
import { expectFocus, Keyboard } from './keyboard.js';

describeConsole('The jobs of a vendor by keyboard alone', (tested) => {
  let developer: Developer;
  let page: Page;
  let keyboard: Keyboard;
  beforeEach(async () => {
    developer = await tested.register();
    page = await tested.openAs(developer);
    keyboard = new Keyboard(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const dialog = () => page.getByRole('dialog');
  const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
  const copied = async () => {
    await page.getByText('Copied').waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };

  it('1: signs up, and dismisses what comes next', async () => {
    const visited = await tested.open();
    const visitor = new Keyboard(visited);
    await visitor.press(visited.getByRole('link', { name: 'Create account' }));
    await visitor.type(visited.getByLabel('Name'), 'Ada');
    await visitor.type(visited.getByLabel('E-mail'), `ada-${developer._id}@studio.example`);
    await visitor.type(visited.getByLabel('Password'), PASSWORD);
    await visited.keyboard.press('Enter');
    await visitor.press(visited.getByRole('button', { name: 'Dismiss the checklist' }));
    await expectFocus(visited.getByRole('heading', { name: 'Overview' }));
  });

  it('2: has the key of a new customer in the clipboard', async () => {
    await keyboard.press(button('New license'));
    await keyboard.type(dialog().getByRole('combobox', { name: 'Client' }), 'Globex');
    await keyboard.type(dialog().getByLabel('E-mail'), `office@${developer._id}.example`);
    await keyboard.type(dialog().getByLabel('Project name'), 'Portal');
    await keyboard.check(dialog().getByRole('checkbox', { name: 'Hosting' }));
    await keyboard.press(inDialog('Create'));
    await keyboard.press(inDialog('Copy key'));
    expect((await activate(tested.service, { key: await copied() })).status).toBe(200);
    await page.keyboard.press('Escape');
    await expectFocus(button('New license'));
  });

  it('3: releases the old machine of the pasted key', async () => {
    const license = await createLicense(tested.service, developer);
    await activate(tested.service, license, LAPTOP);
    await keyboard.paste(license.key);
    await keyboard.openFirst();
    await keyboard.press(button(/^Release/));
    await keyboard.press(inDialog('Release'));
    await page.getByText('Machine released successfully').waitFor();
    await expectFocus(page.getByRole('heading', { level: 1 }));
  });

  it('4: renews a license that Ctrl-K has found', async () => {
    const license = await createLicense(tested.service, developer, { duration: 1 });
    await activate(tested.service, license);
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').waitFor();
    await keyboard.paste(license.key);
    await keyboard.openFirst();
    await expectFocus(page.getByRole('heading', { level: 1 }));
    await keyboard.press(button('Renew'));
    await keyboard.type(dialog().getByLabel('Duration (months)'), '6');
    await page.keyboard.press('Enter');
    await page.getByText('License renewed successfully').waitFor();
    await expectFocus(button('Renew'));
  });

  it('4: has the focus on the button again after a screen reader has submitted the dialog', async () => {
    const license = await createLicense(tested.service, developer, { duration: 1 });
    await activate(tested.service, license);
    await keyboard.paste(license.key);
    await keyboard.openFirst();
    await keyboard.press(button('Renew'));
    await keyboard.focus(dialog().getByLabel('Duration (months)'));
    // Its clicks have no coordinates and no count.
    await inDialog('Renew').evaluate((submit) => (submit as HTMLElement).click());
    await page.getByText('License renewed successfully').waitFor();
    await expectFocus(button('Renew'));
  });

  it('5: replaces a leaked key, and copies the new one', async () => {
    const license = await createLicense(tested.service, developer);
    await activate(tested.service, license);
    await keyboard.paste(license.key);
    await keyboard.openFirst();
    await keyboard.choose(button('More'), page.getByRole('menuitem', { name: 'Reissue' }));
    await keyboard.press(inDialog('Reissue'));
    await keyboard.press(inDialog('Copy key'));
    expect(await copied()).not.toBe(license.key);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await expectFocus(page.getByRole('heading', { level: 1 }));
  });

  it('6: saves the licenses that end next month as CSV', async () => {
    const now = new Date();
    const nextMonth = new Date(now.getFullYear(), now.getMonth() + 1, 15);
    const days = Math.round((nextMonth.getTime() - now.getTime()) / 86_400_000);
    const client = await createClient(tested.service, developer);
    const terms = { projectName: 'Portal', duration: null, days };
    const { license } = await createProject(tested.service, developer, client._id, terms);
    await activate(tested.service, license);
    await keyboard.press(page.getByRole('link', { name: 'End next month' }));
    await expectFocus(page.getByRole('heading', { name: 'Licenses', exact: true }));
    const downloaded = page.waitForEvent('download');
    await keyboard.press(button('Export CSV'));
    expect(fs.readFileSync(await (await downloaded).path(), 'utf8')).toContain('Portal');
    await keyboard.press(page.getByRole('link', { name: /Portal/ }));
    await expectFocus(page.getByRole('heading', { name: 'License of Portal' }));
  });

  it('7: finds a customer after a slash, chosen by the arrows, and goes back from an empty search', async () => {
    for (const name of ['Globex North', 'Globex South']) {
      await createClient(tested.service, developer, { name });
    }
    await keyboard.focus(button('New license'));
    await page.keyboard.press('/');
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(button('New license'));
    await page.keyboard.press('/');
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.type('obex');
    await page.getByRole('option', { name: 'Globex North' }).waitFor();
    await keyboard.pressArrowTo(page.getByRole('option', { name: 'Globex South' }));
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('heading', { name: 'Globex South' }));
  });
});

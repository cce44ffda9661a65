import fs from 'node:fs';
import {
  activate,
  createClient,
  createLicense,
  createProject,
  type Developer,
  LAPTOP,
  PASSWORD,
} from '../../e2e/developer.js';
import type { Page } from 'playwright-core';
import { describeConsole } from '../console-under-test.js';
import { expectFocus, Keyboard } from '../keyboard.js';
import { copied } from '../steps.js';

describeConsole('By keyboard alone, a vendor', (tested) => {
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

  it('1: signs up, dismisses what comes next, and creates the first client and its project', async () => {
    await page.context().clearCookies();
    await page.goto(tested.url);
    await keyboard.press(page.getByRole('link', { name: 'Create account' }));
    await page.getByLabel('Name').waitFor();
    await keyboard.type(page.getByLabel('Name'), 'Ada');
    await keyboard.type(page.getByLabel('E-mail'), `ada-${developer._id}@studio.example`);
    await keyboard.type(page.getByLabel('Password'), PASSWORD);
    await page.keyboard.press('Enter');
    await keyboard.press(button('Dismiss the checklist'));
    await expectFocus(page.getByRole('heading', { name: 'Overview' }));

    await keyboard.press(page.getByRole('link', { name: 'Clients' }));
    await keyboard.press(button('New client'));
    await keyboard.type(page.getByLabel('Name'), 'Acme Ltd');
    await keyboard.type(page.getByLabel('E-mail'), `office@${developer._id}.example`);
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('heading', { name: 'Acme Ltd' }));
    await keyboard.press(button('New project'));
    await keyboard.type(page.getByLabel('Project name'), 'Web shop');
    await keyboard.check(page.getByRole('checkbox', { name: 'Hosting' }));
    await keyboard.press(inDialog('Create'));
    await page.getByRole('heading', { name: 'License of Web shop' }).waitFor();
  });

  it('2: has the key of a new customer in the clipboard', async () => {
    await keyboard.press(button('New license'));
    await keyboard.type(dialog().getByRole('combobox', { name: 'Client' }), 'Globex');
    await keyboard.type(dialog().getByLabel('E-mail'), `office@${developer._id}.example`);
    await keyboard.type(dialog().getByLabel('Project name'), 'Portal');
    await keyboard.check(dialog().getByRole('checkbox', { name: 'Hosting' }));
    await keyboard.press(inDialog('Create'));
    await keyboard.press(inDialog('Copy key'));
    expect((await activate(tested.service, { key: await copied(page) })).status).toBe(200);
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
    expect(await copied(page)).not.toBe(license.key);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await expectFocus(page.getByRole('heading', { level: 1 }));
  });

  it('5: shows a leaked key, and revokes it from the menu by its first letters', async () => {
    const license = await createLicense(tested.service, developer);
    await keyboard.paste(license.key);
    await keyboard.openFirst();
    await keyboard.press(button('Show key'));
    await button('Hide key').waitFor();
    const chooseRevoke = async () => {
      await keyboard.press(button('More'));
      await page.getByRole('menu').waitFor();
      await page.keyboard.type('rev');
      await expectFocus(page.getByRole('menuitem', { name: 'Revoke' }));
      await page.keyboard.press('Enter');
      await dialog().waitFor();
    };
    await chooseRevoke();
    // Escape leaves the dialog, and the focus returns to where it was.
    await page.keyboard.press('Escape');
    await expectFocus(button('More'));
    await chooseRevoke();
    await keyboard.type(page.getByLabel('Reason'), 'Contract ended');
    await page.keyboard.press('Enter');
    await page.getByText('License revoked successfully').waitFor();
    // The button that opened the dialog is gone.
    await expectFocus(page.getByRole('heading', { level: 1 }));
    await keyboard.press(button('Dismiss'));
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

  it('moves the focus to the heading of each page, which names the document', async () => {
    for (const name of ['Clients', 'Licenses', 'Account']) {
      await keyboard.press(page.getByRole('link', { name, exact: true }));
      await expectFocus(page.getByRole('heading', { name, level: 1 }));
      expect(await page.title()).toBe(`${name} · License console`);
    }
  });

  it('skips the navigation', async () => {
    await page.keyboard.press('Tab');
    await expectFocus(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expectFocus(button('New license'));
  });
});

import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import { copied, expectFocus } from '../steps.js';
import { KeyboardVendor } from '../vendor.js';

/** The day of a time in the browser's time zone. */
const dayOf = (time: string): string => new Date(time).toLocaleDateString('sv-SE');

// settings.cases.ts has the rarer jobs, done by mouse at 360 px.
describeConsole('The jobs of a vendor, by keyboard alone', (tested) => {
  const developer = tested.useDeveloper();
  let vendor: KeyboardVendor;
  let page: Page;
  beforeEach(async () => {
    vendor = await KeyboardVendor.at(tested, developer, { width: 1280, height: 800 });
    ({ page } = vendor);
  });

  const read = async (id: string) =>
    (await tested.service.get(`/licenses/${id}`, developer)).body as Record<string, string>;

  it('1: signs up with 2 clicks and sees a checklist until it is done or hidden', async () => {
    await page.context().clearCookies();
    await page.goto(tested.service.url);
    await vendor.click(page.getByRole('link', { name: 'Create account' }));
    await vendor.type(page.getByLabel('Name'), 'Ada');
    await vendor.type(page.getByLabel('Email'), `ada-${developer._id}@studio.example`);
    await vendor.type(page.getByLabel('Password'), PASSWORD);
    await vendor.click(vendor.button('Create account'));
    const checklist = page.getByRole('region', { name: 'Get started' });
    await checklist.getByText('Add a customer').waitFor();
    expect(vendor.clicks).toBe(2);
    await checklist.getByRole('button', { name: 'Add sample data' }).click();
    const samples = page.getByRole('region', { name: 'Sample data' });
    await page.getByRole('link', { name: '2 Active' }).waitFor();
    await page.getByRole('region', { name: 'Expiring soon' }).getByText('Sample app').waitFor();
    await samples.getByRole('button', { name: 'Remove sample data' }).click();
    await samples.waitFor({ state: 'detached' });
    await checklist.getByText('Add a customer').waitFor();
    await vendor.click(checklist.getByRole('button', { name: 'Hide checklist' }));
    await checklist.waitFor({ state: 'detached' });
    await expectFocus(page.getByRole('heading', { name: 'Overview' }));
    await page.reload();
    await page.getByText('Latest events').waitFor();
    expect(await checklist.count()).toBe(0);
  });

  it("2: copies a new customer's key after 4 clicks in one dialog", async () => {
    await vendor.click(vendor.button('New license'));
    const dialog = page.getByRole('dialog');
    await vendor.type(dialog.getByRole('combobox', { name: 'Customer' }), 'Globex');
    await vendor.type(dialog.getByLabel('Email'), `office@${developer._id}.example`);
    await vendor.check(dialog.getByRole('checkbox', { name: 'Hosting' }));
    await vendor.click(vendor.inDialog('Create'));
    await expectFocus(vendor.inDialog('Copy key'));
    await vendor.click(vendor.inDialog('Copy key'));
    const key = await copied(page);
    expect((await tested.service.activate({ key })).status).toBe(200);
    expect(vendor.clicks).toBe(4);
    await page.keyboard.press('Escape');
    await expectFocus(vendor.button('New license'));
  });

  it('3: pastes a sentence that contains the key and frees the seat of an old laptop with 2 clicks', async () => {
    const license = await tested.service.createActiveLicense(developer);
    await vendor.paste(`Hello, your key "${license.key}" does not work. ${'Help! '.repeat(40)}`);
    await page.getByText('Activated', { exact: true }).waitFor();
    await vendor.click(vendor.button(/^Release/));
    await vendor.click(vendor.inDialog('Release'));
    await page.getByText(/^Released [0-9a-f]{12}/).waitFor();
    await expectFocus(page.getByRole('heading', { level: 1 }));
    expect(await read(license._id)).toMatchObject({ machinesCount: 0 });
    expect(vendor.clicks).toBe(2);
  });

  it('4: renews for six months with 2 clicks and sees the old and new expiry date first', async () => {
    const license = await tested.service.createActiveLicense(developer, { duration: 1 });
    await vendor.paste(license.key);
    await vendor.click(vendor.button('Renew'));
    const dialog = page.getByRole('dialog');
    await vendor.type(dialog.getByLabel('Term (months)'), '6');
    const shown = await dialog.locator('strong time').getAttribute('datetime');
    await vendor.click(vendor.inDialog('Renew'));
    await page.getByText(`Renewed •••• ${license.key.slice(-4)}`).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Renewed' }).waitFor();
    await expectFocus(vendor.button('Renew'));
    expect((await read(license._id)).expiresAt).toBe(shown);
    expect(vendor.clicks).toBe(2);
  });

  it('5: replaces a leaked key with 3 clicks: the new key is shown once and keeps the expiry date, and the old license is revoked', async () => {
    const license = await tested.service.createActiveLicense(developer, { duration: 12 });
    const before = await read(license._id);
    await vendor.paste(license.key);
    await vendor.choose('Reissue');
    const dialog = page.getByRole('dialog', { name: `Reissue •••• ${before.keyHint}` });
    await dialog.getByText(/runs for the remaining 36\d days/).waitFor();
    await vendor.click(dialog.getByRole('button', { name: 'Reissue' }));
    expect(vendor.clicks).toBe(3);
    await vendor.click(vendor.inDialog('Copy key'));
    const key = await copied(page);
    expect((await tested.service.activate({ key })).body.expiresAt.slice(0, 10)).toBe(
      before.expiresAt?.slice(0, 10),
    );
    await vendor.click(dialog.getByRole('link', { name: 'Open the new license' }));
    await page.getByText('Active', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
    await vendor.click(
      page.getByRole('definition').getByRole('link', { name: String(before.keyHint) }),
    );
    await page.getByText('Revoked', { exact: true }).first().waitFor();
    await page.getByRole('region', { name: 'Machines' }).getByRole('table').waitFor();
    expect(await vendor.button(/^Release/).count()).toBe(0);
    expect(await page.getByText('in use').count()).toBe(0);
  });

  it('6: lists the licenses that expire next month with 1 click and saves them as CSV with 1 more', async () => {
    const now = new Date();
    const nextMonth = new Date(now.getFullYear(), now.getMonth() + 1, 15);
    const days = Math.round((nextMonth.getTime() - now.getTime()) / 86_400_000);
    for (const terms of [
      { projectName: 'Portal', duration: null, days },
      { projectName: 'Archive', duration: 12 },
    ]) {
      await tested.service.createActiveLicense(developer, terms);
    }
    await page.reload();
    await vendor.click(page.getByRole('link', { name: 'Expiring next month' }));
    await expectFocus(page.getByRole('heading', { name: 'Licenses', exact: true }));
    await page.getByRole('link', { name: /· Portal$/ }).waitFor();
    expect(await page.getByRole('link', { name: 'Archive' }).count()).toBe(0);
    const downloaded = page.waitForEvent('download');
    await vendor.click(vendor.button('Export CSV'));
    const csv = fs.readFileSync(await (await downloaded).path(), 'utf8');
    expect(csv.trim().split('\n')).toHaveLength(1 + 1);
    expect(csv).toMatch(/@acme\.example.*Portal/);
    expect(vendor.clicks).toBe(2);
    await vendor.click(page.getByRole('link', { name: /· Portal$/ }));
    await expectFocus(page.getByRole('heading', { name: 'Portal license' }));
  });

  it('7: finds a customer by part of the name or email address with 1 click', async () => {
    const name = 'Société Générale de Développement Logiciel';
    await tested.service.createClient(developer, { name });
    // Newer, but only its email address matches.
    const email = `office@developpement-${developer._id}.example`;
    await tested.service.createClient(developer, { name: 'Globex', email });
    await vendor.click(vendor.button('Search'));
    await vendor.type(page.getByRole('searchbox'), 'veloppement');
    await page.getByRole('option', { name }).waitFor();
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('heading', { name }));
    expect(vendor.clicks).toBe(1);
  });

  it('7: finds a license by the last four characters of its key with 2 clicks', async () => {
    const [license] = await Promise.all(
      [1, 2].map(() => tested.service.createLicense(developer, { projectName: 'Portal' })),
    );
    const hint = license!.key.slice(-4);
    await vendor.click(page.getByRole('link', { name: 'Licenses', exact: true }));
    await vendor.click(page.getByRole('searchbox', { name: 'Search' }));
    await page.keyboard.type(hint);
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('heading', { name: 'Portal license' }));
    await page.getByText(`•••• ${hint}`).first().waitFor();
    expect(vendor.clicks).toBe(2);
  });

  it('4: upgrades a license from 5 to 10 seats with 2 clicks', async () => {
    const license = await tested.service.createActiveLicense(developer, { maxMachines: 5 });
    await vendor.paste(license.key);
    await vendor.click(vendor.button('Edit'));
    await vendor.type(page.getByLabel('Seats', { exact: true }), '10');
    await vendor.click(vendor.inDialog('Save'));
    await page.getByText(`Updated •••• ${license.key.slice(-4)}`).waitFor();
    await page.getByText('Seats: 5 → 10').waitFor();
    expect(await read(license._id)).toMatchObject({ maxMachines: 10 });
    expect(vendor.clicks).toBe(2);
  });

  it('4: undoes a mistaken renewal with 2 clicks by setting the expiry date', async () => {
    const license = await tested.service.createActiveLicense(developer, { duration: 1 });
    const { expiresAt } = await read(license._id);
    const months = { duration: 12 };
    await tested.service.post(`/licenses/${license._id}/renew`, months, developer);
    await vendor.paste(license.key);
    await vendor.click(vendor.button('Edit'));
    await page.getByText(/^Before the last renewal: \d+ \w+ \d{4}/).waitFor();
    const date = page.getByLabel('Expires', { exact: true });
    await date.fill(await page.evaluate(dayOf, String(expiresAt)));
    await vendor.click(vendor.inDialog('Save'));
    await page.getByText(`Updated •••• ${license.key.slice(-4)}`).waitFor();
    expect((await read(license._id)).expiresAt).toBe(expiresAt);
    expect(vendor.clicks).toBe(2);
  });

  it('2: sells a two-year license by a plan to a new customer with 5 clicks', async () => {
    const product = 'com.example.web-shop';
    const plan = { name: 'Team', days: 730, services: ['Hosting'], maxMachines: 5, product };
    await tested.service.post('/plans', plan, developer);
    const { _id: id } = await tested.service.createClient(developer);
    await tested.service.createProject(developer, id, { product });
    await vendor.click(vendor.button('New license'));
    const dialog = page.getByRole('dialog');
    await vendor.type(dialog.getByRole('combobox', { name: 'Customer' }), 'Globex');
    await vendor.type(dialog.getByLabel('Email'), `office@${developer._id}.example`);
    for (const [name, choice] of [
      ['Product', product],
      ['Plan', 'Team'],
    ] as const) {
      vendor.clicks += 1;
      await vendor.focus(dialog.getByLabel(name, { exact: true }));
      await page.keyboard.type(choice);
    }
    await dialog.getByText('2 years · 5 seats · Hosting').waitFor();
    await vendor.click(vendor.inDialog('Create'));
    await vendor.click(vendor.inDialog('Copy key'));
    const { body } = await tested.service.activate({ key: await copied(page) });
    const days = (Date.parse(body.expiresAt) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(730);
    expect(vendor.clicks).toBe(5);
  });

  it('4: returns the focus to the button after a screen reader submits the dialog', async () => {
    const license = await tested.service.createActiveLicense(developer, { duration: 1 });
    await vendor.paste(license.key);
    await vendor.click(vendor.button('Renew'));
    await vendor.focus(page.getByLabel('Term (months)'));
    // A screen reader's clicks have no coordinates and no count.
    await vendor.inDialog('Renew').evaluate((submit) => (submit as HTMLElement).click());
    await page.getByText(`Renewed •••• ${license.key.slice(-4)}`).waitFor();
    await expectFocus(vendor.button('Renew'));
  });

  it('5: shows a leaked key and revokes it by typing the first letters in the menu', async () => {
    const license = await tested.service.createLicense(developer);
    await vendor.paste(license.key);
    await vendor.click(vendor.button('Show key'));
    await vendor.button('Hide key').waitFor();
    const chooseRevoke = async () => {
      await vendor.click(vendor.button('More'));
      // It ignores letters until it has the focus.
      await page.locator('[role=menu]:focus-within').waitFor();
      await page.keyboard.type('rev');
      await expectFocus(page.getByRole('menuitem', { name: 'Revoke' }));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
    };
    await chooseRevoke();
    // Escape closes the dialog, and the focus returns to where it was.
    await page.keyboard.press('Escape');
    await expectFocus(vendor.button('More'));
    await chooseRevoke();
    await vendor.type(page.getByLabel('Reason'), 'Contract ended');
    await page.keyboard.press('Enter');
    await page.getByText(`Revoked •••• ${license.key.slice(-4)}`).waitFor();
    // The button that opened the dialog is gone.
    await expectFocus(page.getByRole('heading', { level: 1 }));
    await vendor.click(vendor.button('Dismiss'));
    await expectFocus(page.getByRole('heading', { level: 1 }));
  });

  it('7: opens the search with a slash, chooses a customer with the arrow keys, and leaves an empty search', async () => {
    for (const name of ['Globex North', 'Globex South']) {
      await tested.service.createClient(developer, { name });
    }
    await vendor.focus(vendor.button('New license'));
    await page.keyboard.press('/');
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(vendor.button('New license'));
    await page.keyboard.press('/');
    await page.getByRole('searchbox').waitFor();
    await page.getByRole('searchbox').fill('LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB');
    await page.getByText('This is not a complete license key').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.keyboard.type('obex');
    await page.getByRole('option', { name: 'Globex North' }).waitFor();
    await vendor.pressArrowTo(page.getByRole('option', { name: 'Globex South' }));
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('heading', { name: 'Globex South' }));
  });

  it('skips the navigation, and focuses the heading of each page, which is also the document title', async () => {
    await page.keyboard.press('Tab');
    await expectFocus(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expectFocus(vendor.button('New license'));
    for (const name of ['Customers', 'Licenses', 'Account']) {
      await vendor.click(page.getByRole('link', { name, exact: true }));
      await expectFocus(page.getByRole('heading', { name, level: 1 }));
      expect(await page.title()).toBe(`${name} · License console`);
    }
  });
});

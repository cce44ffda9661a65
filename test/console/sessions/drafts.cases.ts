import type { Page } from 'playwright-core';
import { describeConsole } from '../console-under-test.js';
import { chooseAction, logIn, submit } from '../steps.js';

/** Longer than an access token lasts. */
const LATER = '16:00';

describeConsole('A draft', (tested) => {
  const developer = tested.useDeveloper();
  let client: { _id: string; name: string; email: string };
  beforeEach(async () => {
    client = await tested.service.createClient(developer, { name: 'Acme' });
    await tested.service.createProject(developer, client._id);
  });

  /** Ends the session, which the page notices when the form is submitted. */
  const submitAfterSession = async (page: Page) => {
    await page.context().clearCookies();
    await page.clock.fastForward(LATER);
    await submit(page.getByRole('dialog'), 'Create');
    await page.getByText('Sign in to continue.').waitFor();
    expect(await page.content()).not.toContain('Acme');
  };

  const storedBy = (page: Page) =>
    page.evaluate(() =>
      JSON.stringify(Object.entries(sessionStorage).filter(([key]) => key.includes('draft'))),
    );

  /** The visible fields of the dialog, and their values. */
  const fieldsOf = async (page: Page) => {
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    // The dialog asks for an address only until its search finds that the client exists.
    await page.getByRole('dialog').getByLabel('Email').waitFor({ state: 'detached' });
    return page
      .getByRole('dialog')
      .evaluate((dialog) =>
        [...dialog.querySelectorAll('input')]
          .filter((field) => field.checkVisibility())
          .map(({ name, value, checked }) => ({ name, value, checked })),
      );
  };

  it('of a new license returns in the same dialog after a reload, and after signing in again, until it is cancelled', async () => {
    const page = await tested.openAs(developer);
    await page.clock.install();
    await page.goto(`${tested.url}/licenses`);
    await page.getByRole('button', { name: 'New license' }).first().click();
    const dialog = page.getByRole('dialog');
    const choice = dialog.getByRole('combobox', { name: 'Customer' });
    await choice.fill('Ac');
    await dialog.locator('datalist option[value^="Acme"]').waitFor({ state: 'attached' });
    await choice.fill(`Acme · ${client.email}`);
    await dialog.getByLabel('Email').waitFor({ state: 'detached' });
    await dialog.getByRole('checkbox', { name: 'Domain' }).check();
    await dialog.getByText('More options').click();
    await dialog.getByLabel('Project name').fill('Portal');
    await dialog.getByLabel('Entitlements').fill('team');
    const entered = await fieldsOf(page);

    await page.reload();
    await dialog.waitFor();
    expect(await fieldsOf(page)).toEqual(entered);

    await submitAfterSession(page);
    await logIn(page, developer);
    await dialog.waitFor();
    expect(page.url()).toBe(`${tested.url}/licenses`);
    expect(await fieldsOf(page)).toEqual(entered);

    await page.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await storedBy(page)).toBe('[]');
  });

  const enterClient = async (page: Page) => {
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Globex');
  };

  it('returns in only one dialog if two buttons of an empty list open the same one', async () => {
    const page = await tested.openAs(await tested.service.register(), '/licenses');
    await page.getByText('No licenses yet').waitFor();
    await page.getByRole('button', { name: 'New license' }).last().click();
    await page.getByRole('combobox', { name: 'Customer' }).fill('Globex');
    await page.reload();
    await page.getByText('No licenses yet').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('returns for the right one of two projects with the same name', async () => {
    const { project } = await tested.service.createProject(developer, client._id);
    const page = await tested.openAs(developer, `/clients/${client._id}`);
    await page.getByRole('button', { name: 'New license' }).last().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Hosting' }).check();
    await page.reload();
    await submit(dialog, 'Create');
    await dialog.getByRole('button', { name: 'Copy key' }).waitFor();
    const ofOther = await tested.service.get(`/licenses?projectId=${project._id}`, developer);
    expect(ofOther.body.data).toHaveLength(1);
  });

  it("returns in a menu's dialog, in a form outside a dialog, and in fields that appear after others", async () => {
    const license = await tested.service.createLicense(developer);
    const page = await tested.openAs(developer, `/licenses/${license._id}`);
    await page.getByText('Offline activation').click();
    await page.getByLabel('Request').fill('{"fingerprint":"');
    await page.reload();
    await page.getByLabel('Request').waitFor();
    expect(await page.getByLabel('Request').inputValue()).toBe('{"fingerprint":"');
    await chooseAction(page, 'Revoke');
    await page.getByRole('dialog').getByLabel('Reason').fill('Contract ended');
    await page.reload();
    const revoke = page.getByRole('dialog', { name: `Revoke •••• ${license.key.slice(-4)}` });
    expect(await revoke.getByLabel('Reason').inputValue()).toBe('Contract ended');

    await page.goto(`${tested.url}/account/webhooks`);
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByRole('checkbox', { name: 'All events' }).uncheck();
    await page.getByRole('dialog').getByText('Licenses', { exact: true }).click();
    const box = page.getByRole('checkbox', { name: 'License activated' });
    await box.check();
    await page.reload();
    await box.and(page.locator(':checked')).waitFor();
  });

  it('is dropped after success, after leaving the page, and after signing out in any tab', async () => {
    const page = await tested.openAs(developer);
    await page.getByRole('link', { name: 'Customers' }).click();
    await enterClient(page);
    await page.getByLabel('Email').fill(`office@${developer._id}.example`);
    expect(await storedBy(page)).toContain('Globex');
    await submit(page.getByRole('dialog'), 'Create');
    await page.getByRole('heading', { name: 'Globex' }).waitFor();
    expect(await storedBy(page)).toBe('[]');

    await page.goBack();
    await enterClient(page);
    await page.goBack();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await storedBy(page)).toBe('[]');

    await page.getByRole('link', { name: 'Customers' }).click();
    await enterClient(page);
    const other = await page.context().newPage();
    await other.goto(`${tested.url}/account`);
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await storedBy(page)).toBe('[]');
  });

  it("is never shown to another account that signs in, and neither are the first account's records", async () => {
    const page = await tested.openAs(developer, '/clients');
    await page.clock.install();
    await page.reload();
    await enterClient(page);
    await page.getByLabel('Email').fill('office@globex.example');
    await submitAfterSession(page);
    await logIn(page, await tested.service.register());
    await page.getByText('No customers yet').waitFor();
    expect(await page.content()).not.toContain('Acme');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await storedBy(page)).toBe('[]');
  });

  it('never includes a password', async () => {
    const page = await tested.open('/login');
    await page.getByLabel('Email').fill(developer.email);
    await page.getByLabel('Password').fill('a secret of mine');
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(developer.email);
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    expect(await storedBy(page)).not.toContain('secret');
  });
});

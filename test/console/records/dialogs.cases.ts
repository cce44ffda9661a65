import type { CreatedLicense } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import {
  chooseAction,
  copied,
  expectFocus,
  handleNext,
  openDialog,
  submit,
  unavailable,
  untilValue,
} from '../steps.js';
import { SMALLEST } from '../vendor.js';

describeConsole('Each dialog of the console', (tested) => {
  const developer = tested.useDeveloper();

  it("focuses its first field, or Cancel if Enter would do something that can't be undone", async () => {
    const license = await tested.service.createActiveLicense(developer);
    const page = await tested.openAs(developer, `/licenses/${license._id}`);
    const dialog = await openDialog(page, 'Renew');
    await expectFocus(dialog.getByLabel('Term (months)'));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    for (const action of ['Suspend', 'Reissue', 'Revoke']) {
      await chooseAction(page, action);
      await expectFocus(dialog.getByRole('button', { name: 'Cancel' }));
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('asks before Escape discards what was entered, such as for an action of the search', async () => {
    const page = await tested.openAs(developer, '/licenses');
    await page.getByText('No licenses yet').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'New customer' }).click();
    const dialog = page.getByRole('dialog', { name: 'New customer' });
    await dialog.getByLabel('Name').fill('Globex');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Globex');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('keeps its buttons visible below a form longer than the window, clear of the focus', async () => {
    const viewport = { width: 1280, height: 800 };
    const page = await tested.openAs(developer, '/account/webhooks', { viewport });
    const dialog = await openDialog(page, 'New webhook');
    await dialog.getByRole('checkbox', { name: 'All events' }).uncheck();
    for (const folded of ['Licenses', 'API keys', 'Members', 'Webhooks']) {
      await dialog.getByText(folded, { exact: true }).click();
    }
    await dialog.evaluate((element) => element.parentElement?.scrollTo(0, 0));
    const buttons = dialog.getByRole('button', { name: /Cancel|Create/ });
    const places = () =>
      Promise.all(
        [0, 1].map(async (index) => {
          const { y, height } = (await buttons.nth(index).boundingBox())!;
          return { y: Math.round(y), height };
        }),
      );
    const before = await places();
    for (const { y, height } of before) expect(y + height).toBeLessThanOrEqual(800);
    await dialog.locator('input').first().focus();
    const focused = page.locator('form :focus');
    while (await focused.evaluate(({ tagName }) => tagName !== 'BUTTON')) {
      const { y, height } = (await focused.boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(before[0]!.y + 0.5);
      await page.keyboard.press('Tab');
    }
    expect(await places()).toEqual(before);
  });

  it('shows the key of a first license, and of a replacement, until it is closed, even if the row that opened it leaves the list', async () => {
    const page = await tested.openAs(developer, '/licenses');
    const dialog = page.getByRole('dialog');
    await page.getByText('No licenses yet').waitFor();
    await page.getByRole('button', { name: 'New license' }).last().click();
    await dialog.getByRole('combobox', { name: 'Customer' }).fill('Globex');
    await dialog.getByRole('checkbox', { name: 'Hosting' }).check();
    const taken = await tested.service.createClient(developer, { name: 'Initech' });
    await dialog.getByLabel('Email').fill(taken.email);
    await dialog.getByText('Initech has this email address.').waitFor();
    await dialog.getByRole('button', { name: 'Use this customer' }).click();
    await untilValue(page, 'clientName', `Initech · ${taken.email}`);
    await dialog.getByRole('combobox', { name: 'Customer' }).fill('Globex');
    const email = `office@${developer._id}.example`;
    await submit(dialog, 'Create', { Email: email });
    const first = await copied(page, 'Copy key');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: 'Globex' }).waitFor();

    await tested.service.activate({ key: first });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Status').selectOption('Active');
    await page.getByRole('row', { name: 'Globex' }).getByText('Active').waitFor();
    await chooseAction(page, 'Reissue', 'Actions for');
    await dialog.getByRole('button', { name: 'Reissue' }).click();
    expect(await copied(page, 'Copy key')).not.toBe(first);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('No licenses match').waitFor();
  });

  it('stays open while somebody else changes its record, then says why it is too late', async () => {
    const license = await tested.service.createActiveLicense(developer);
    const page = await tested.openAs(developer);
    await page.clock.install();
    await page.goto(`${tested.url}/licenses/${license._id}`);
    const dialog = await openDialog(page, 'Renew');
    await dialog.getByLabel('Term (months)').fill('3');
    await tested.service.post(`/licenses/${license._id}/revoke`, {}, developer);
    await page.clock.runFor(10_000);
    await page.waitForLoadState('networkidle');
    await submit(dialog, 'Renew');
    await dialog.getByText('This license was revoked.').waitFor();
  });

  it('is followed by the current list if it came too late', async () => {
    const license = await tested.service.createLicense(developer);
    const page = await tested.openAs(developer, '/licenses');
    await chooseAction(page, 'Suspend', 'Actions for');
    await tested.service.post(`/licenses/${license._id}/revoke`, {}, developer);
    const dialog = page.getByRole('dialog');
    await submit(dialog, 'Suspend');
    await dialog.getByText('This license was revoked.').waitFor();
    await submit(dialog, 'Cancel');
    await page.getByRole('row').getByText('Revoked').waitFor();
  });
});

describeConsole('A deletion in the console', (tested) => {
  const developer = tested.useDeveloper();
  let client: { _id: string; name: string };
  let project: { _id: string };
  let license: CreatedLicense;
  beforeEach(async () => {
    client = await tested.service.createClient(developer, { name: 'Acme' });
    ({ project, license } = await tested.service.createProject(developer, client._id));
  });

  it('of a client with projects, or of a project with licenses in use, is not offered: the dialog lists or counts them and links to them', async () => {
    await tested.service.activate(license);
    const suspended = await tested.service.addLicense(developer, project._id);
    await tested.service.post(`/licenses/${suspended._id}/suspend`, undefined, developer);
    for (const projectName of ['Portal', 'Archive', 'Intranet', 'Newsletter']) {
      await tested.service.createProject(developer, client._id, { projectName });
    }
    const page = await tested.openAs(developer, `/clients/${client._id}`);
    const dialog = await openDialog(page, 'Delete customer');
    await dialog.getByText('Acme still has projects').waitFor();
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Close']);
    await dialog.getByRole('link', { name: 'Web shop' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).toBe(`${tested.url}/clients/${client._id}#${project._id}`);
    // The newest projects are above it.
    const panel = page.getByRole('region', { name: 'Web shop' });
    const { y, height } = (await panel.boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(page.viewportSize()!.height);

    await panel.getByRole('button', { name: 'Delete project' }).click();
    await dialog.getByText('Web shop has licenses in use').waitFor();
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Close']);
    await dialog.getByRole('link', { name: '1 suspended license' }).waitFor();
    await dialog.getByRole('link', { name: '1 active license' }).click();
    await page.getByRole('heading', { name: 'Licenses' }).waitFor();
    const row = page.getByRole('table', { name: 'Licenses' }).getByRole('row').nth(1);
    await row.getByText(license.key.slice(-4)).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('ACTIVE');
  });

  it('of a project with licenses is never the first button, asks for the name and shows a notice; deleting a client only asks for confirmation', async () => {
    await tested.service.addLicense(developer, project._id);
    // A browser collapses several spaces into one.
    await tested.service.patch(`/projects/${project._id}`, { name: 'Web  shop' }, developer);
    const page = await tested.openAs(developer, `/clients/${client._id}`);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'DELETE') sent.push(request.url());
    });
    for (const name of ['Delete project', 'Delete customer']) {
      const button = page.getByRole('button', { name, exact: true });
      expect(await button.evaluate((it) => it.matches(':first-child'))).toBe(false);
    }
    const dialog = await openDialog(page, 'Delete project');
    await dialog.getByText('This also deletes its 2 licenses').waitFor();
    await dialog.getByText("can't be undone").waitFor();
    const remove = dialog.getByRole('button', { name: 'Delete project' });
    const typed = dialog.getByLabel('Type Web shop to confirm');
    for (const text of ['', 'web', 'Web shop 2']) {
      await typed.fill(text);
      await remove.click();
      expect(await typed.evaluate((input: HTMLInputElement) => input.validity.valid)).toBe(false);
    }
    expect(sent).toEqual([]);
    await typed.fill('Web shop');
    await remove.click();
    await page.getByText('Deleted Web shop').waitFor();

    await openDialog(page, 'Delete customer');
    await dialog.getByText("can't be undone").waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Delete customer' }).click();
    await page.getByText('No customers yet').waitFor();
    expect(sent).toHaveLength(2);
  });

  it('of several licenses is a revocation: it applies to licenses that are not revoked, names them, asks for their number and says which failed, and a renewal applies to licenses with a term', async () => {
    const other = await tested.service.createProject(developer, client._id);
    const pending = other.license;
    const revoked = await tested.service.addLicense(developer, project._id);
    await tested.service.activate(license);
    await tested.service.post(`/licenses/${revoked._id}/revoke`, {}, developer);
    const page = await tested.openAs(developer, '/licenses');
    await page.getByRole('checkbox', { name: `Select •••• ${revoked.key.slice(-4)}` }).check();
    await page.getByText('1 selected').waitFor();
    expect(await page.getByRole('button', { name: /^(Renew|Revoke)$/ }).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    const dialog = await openDialog(page, 'Renew');
    await dialog.getByRole('heading', { name: 'Renew 1 license' }).waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining(license.key.slice(-4)),
      '2 others stay as they are',
    ]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await openDialog(page, 'Revoke');
    await dialog.getByRole('heading', { name: 'Revoke 2 licenses?' }).waitFor();
    await dialog.getByText('1 other stays as it is').waitFor();
    for (const { key } of [license, pending]) {
      await dialog.getByText(`•••• ${key.slice(-4)} · Acme · Web shop`).waitFor();
    }
    await dialog.getByText("can't be undone").waitFor();
    const revoke = dialog.getByRole('button', { name: 'Revoke' });
    await revoke.click();
    const status = async () =>
      (await tested.service.get(`/licenses/${license._id}`, developer)).body.status;
    expect(await status()).toBe('ACTIVE');
    await dialog.getByLabel('Type 2 to confirm').fill('2');
    await tested.service.delete(`/projects/${other.project._id}`, developer);
    await handleNext(page, '**/revoke', (route) =>
      route.fulfill({ ...unavailable(1), status: 429 }),
    );
    await revoke.click();
    await dialog.getByText('Retrying in').waitFor();
    await dialog.getByText('2 of 2 done, 1 failed').waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
      `•••• ${pending.key.slice(-4)} · Acme · Web shop: This license doesn't exist. It may have been deleted.`,
    ]);
    expect(await status()).toBe('REVOKED');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText(`•••• ${pending.key.slice(-4)}`).waitFor({ state: 'detached' });
  });

  it('on all licenses of a list also suspends and resumes the ones not shown', async () => {
    const batch = { duration: 6, services: ['Hosting'], count: 20 };
    await tested.service.post(`/projects/${project._id}/licenses/batch`, batch, developer);
    const page = await tested.openAs(developer, '/licenses');
    for (const [action, status] of [
      ['Suspend', 'SUSPENDED'],
      ['Resume', 'PENDING'],
    ] as const) {
      await page.getByRole('checkbox', { name: 'Select all shown' }).check();
      await page.getByText('20 selected').waitFor();
      await page.getByRole('button', { name: 'Select all 21' }).click();
      await page.getByText('21 selected').waitFor();
      const dialog = await openDialog(page, action);
      await submit(dialog, action);
      await dialog.getByText('21 of 21 done').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      const list = `/licenses?status=${status}&total=true`;
      expect((await tested.service.get(list, developer)).body.total).toBe(21);
    }
  });

  it('of several licenses stops when the dialog is closed, and the page says after how many', async () => {
    await tested.service.addLicense(developer, project._id);
    const page = await tested.openAs(developer, '/licenses', { viewport: SMALLEST });
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    const dialog = await openDialog(page, 'Revoke');
    await handleNext(page, '**/revoke', (route) => route.fulfill(unavailable(60)));
    await submit(dialog, 'Revoke', { 'Type 2 to confirm': '2' });
    await dialog.getByText('Retrying in').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('0 of 2 done').waitFor();

    await openDialog(page, 'Revoke');
    await handleNext(page, '**/revoke', async (route) => {
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await route.continue();
    });
    await submit(dialog, 'Revoke', { 'Type 2 to confirm': '2' });
    await page.getByText('1 of 2 done').waitFor();
    await page.getByRole('row').getByText('Revoked').waitFor();
    expect(await page.getByRole('row').getByText('Pending').count()).toBe(1);
  });
});

import type { CreatedLicense } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import { chooseAction, handleNext, openDialog, submit, unavailable } from '../steps.js';
import { SMALLEST } from '../vendor.js';

describeConsole('Deletions and bulk changes in the console', (tested) => {
  const developer = tested.useDeveloper();
  let client: { _id: string; name: string };
  let project: { _id: string };
  let license: CreatedLicense;
  beforeEach(async () => {
    client = await tested.service.createClient(developer, { name: 'Acme' });
    ({ project, license } = await tested.service.createProject(developer, client._id));
  });

  it('are not offered for a customer with projects or a project with licenses in use: the dialog lists or counts them and links to them', async () => {
    await tested.service.activate(license);
    const suspended = await tested.service.addLicense(developer, project._id);
    await tested.service.post(`/licenses/${suspended._id}/suspend`, undefined, developer);
    for (const projectName of ['Portal', 'Archive', 'Intranet', 'Newsletter']) {
      await tested.service.createProject(developer, client._id, { projectName });
    }
    const page = await tested.openAs(developer, `/clients/${client._id}`);
    await chooseAction(page, 'Delete customer');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Acme still has projects').waitFor();
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Close']);
    await dialog.getByRole('link', { name: 'Web shop' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).toBe(`${tested.url}/clients/${client._id}#${project._id}`);
    // The newest projects are listed above it.
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

  it('of a project with licenses are never the first button, ask for its name and show a notice; erasing a customer asks for the name, too, but deleting one only for confirmation', async () => {
    await tested.service.addLicense(developer, project._id);
    // A browser collapses several spaces into one.
    await tested.service.patch(`/projects/${project._id}`, { name: 'Web  shop' }, developer);
    const page = await tested.openAs(developer, `/clients/${client._id}`);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'DELETE') sent.push(request.url());
    });
    const first = page.getByRole('button', { name: 'Delete project', exact: true });
    expect(await first.evaluate((it) => it.matches(':first-child'))).toBe(false);
    const dialog = await openDialog(page, 'Delete project');
    await dialog.getByText('This also deletes its 2 licenses').waitFor();
    await dialog.getByText('restore it for 30 days').waitFor();
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

    await chooseAction(page, 'Personal data');
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download personal data' }).click();
    expect((await saving).suggestedFilename()).toBe(`personal-data-${client._id}.json`);
    await submit(dialog, 'Erase', { 'Type Acme to confirm': 'Acme' });
    await page.getByRole('heading', { name: '[erased]' }).waitFor();

    await chooseAction(page, 'Delete customer');
    await dialog.getByText('restore it for 30 days').waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Delete customer' }).click();
    await page.getByText('No customers yet').waitFor();
    expect(sent).toHaveLength(2);

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored [erased]').waitFor();
    await page.getByRole('link', { name: '[erased]' }).waitFor();
    await page.goto(page.url().replace(/clients$/, 'account/deleted'));
    await page.getByText('Project, 2 licenses').waitFor();
    await page.getByRole('button', { name: 'Restore Web shop' }).click();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Nothing was deleted').waitFor();
  });

  it('revoke several licenses: the dialog names the ones not yet revoked, asks for their number and says which failed; a renewal applies only to licenses with a term', async () => {
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
    await handleNext(page, '**/licenses/batch', (route) =>
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

  it('suspend and resume all licenses of a list, including the ones it does not show', async () => {
    const batch = { duration: 6, services: ['Hosting'], count: 20 };
    await tested.service.post(`/projects/${project._id}/licenses/batch`, batch, developer);
    const page = await tested.openAs(developer, '/licenses');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
    });
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
    expect(sent.filter((path) => path !== '/console/session/refresh')).toEqual(
      Array(2).fill('/licenses/batch'),
    );
  });

  it('stop when the dialog is closed, and the page says after how many licenses', async () => {
    const batch = { duration: 6, services: ['Hosting'], count: 100 };
    await tested.service.post(`/projects/${project._id}/licenses/batch`, batch, developer);
    await tested.service.addLicense(developer, project._id);
    const page = await tested.openAs(developer, '/licenses', { viewport: SMALLEST });
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByRole('button', { name: 'Select all 102' }).click();
    await page.getByText('102 selected').waitFor();
    const dialog = await openDialog(page, 'Revoke');
    await handleNext(page, '**/licenses/batch', (route) => route.fulfill(unavailable(60)));
    await submit(dialog, 'Revoke', { 'Type 102 to confirm': '102' });
    await dialog.getByText('Retrying in').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('0 of 102 done').waitFor();

    await openDialog(page, 'Revoke');
    await handleNext(page, '**/licenses/batch', async (route) => {
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await route.continue();
    });
    await submit(dialog, 'Revoke', { 'Type 102 to confirm': '102' });
    await page.getByText('100 of 102 done').waitFor();
    const revoked = '/licenses?status=REVOKED&total=true';
    expect((await tested.service.get(revoked, developer)).body.total).toBe(100);
  });
});

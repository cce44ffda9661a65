import type { Page } from 'playwright-core';
import type { CreatedLicense } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';

describeConsole('A deletion in the console', (tested) => {
  const developer = tested.useDeveloper();
  let client: { _id: string; name: string };
  let project: { _id: string };
  let license: CreatedLicense;
  beforeEach(async () => {
    client = await tested.service.createClient(developer, { name: 'Acme' });
    ({ project, license } = await tested.service.createProject(developer, client._id));
  });

  const openDialog = async (page: Page, button: string) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    return page.getByRole('dialog');
  };

  it('of a client with projects, or of a project with licenses in use, is not offered: the dialog names or counts them, and leads to them', async () => {
    await tested.service.activate(license);
    const suspended = await tested.service.addLicense(developer, project._id);
    await tested.service.post(`/licenses/${suspended._id}/suspend`, undefined, developer);
    for (const projectName of ['Portal', 'Archive', 'Intranet', 'Newsletter']) {
      await tested.service.createProject(developer, client._id, { projectName });
    }
    const page = await tested.openAs(developer, `/clients/${client._id}`);
    const dialog = await openDialog(page, 'Delete client');
    await dialog.getByText('Acme has projects').waitFor();
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Close']);
    await dialog.getByRole('link', { name: 'Web shop' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).toBe(`${tested.url}/clients/${client._id}#${project._id}`);
    // The newest projects stand above it.
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

  it('of a project with its licenses is never the first button, asks for the name, and then says that it is done; that of the client only confirms', async () => {
    await tested.service.addLicense(developer, project._id);
    // A browser shows one space of several.
    await tested.service.patch(`/projects/${project._id}`, { name: 'Web  shop' }, developer);
    const page = await tested.openAs(developer, `/clients/${client._id}`);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'DELETE') sent.push(request.url());
    });
    for (const name of ['Delete project', 'Delete client']) {
      const button = page.getByRole('button', { name, exact: true });
      expect(await button.evaluate((it) => it.matches(':first-child'))).toBe(false);
    }
    const dialog = await openDialog(page, 'Delete project');
    await dialog.getByText('Its 2 licenses are deleted with it').waitFor();
    await dialog.getByText('cannot be undone').waitFor();
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
    await page.getByText('Project deleted successfully').waitFor();

    await openDialog(page, 'Delete client');
    await dialog.getByText('cannot be undone').waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Delete client' }).click();
    await page.getByText('No clients yet').waitFor();
    expect(sent).toHaveLength(2);
  });

  it('of several licenses is a revocation, offered for those that are not revoked as a renewal is for those with a term, names them, asks for their number and says which failed', async () => {
    const other = await tested.service.createProject(developer, client._id);
    const pending = other.license;
    const revoked = await tested.service.addLicense(developer, project._id);
    await tested.service.activate(license);
    await tested.service.post(`/licenses/${revoked._id}/revoke`, {}, developer);
    const page = await tested.openAs(developer, '/licenses');
    await page.getByRole('checkbox', { name: `Select •••• ${revoked.key.slice(-4)}` }).check();
    await page.getByText('1 selected').waitFor();
    expect(await page.getByRole('button', { name: /^(Renew|Revoke)$/ }).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
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
    await dialog.getByText('cannot be undone').waitFor();
    const revoke = dialog.getByRole('button', { name: 'Revoke' });
    await revoke.click();
    const status = async () =>
      (await tested.service.get(`/licenses/${license._id}`, developer)).body.status;
    expect(await status()).toBe('ACTIVE');
    await dialog.getByLabel('Type 2 to confirm').fill('2');
    await tested.service.delete(`/projects/${other.project._id}`, developer);
    await revoke.click();
    await dialog.getByText('2 of 2 done, 1 failed').waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
      `•••• ${pending.key.slice(-4)} · Acme · Web shop: This license does not exist. It may have been deleted.`,
    ]);
    expect(await status()).toBe('REVOKED');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText(`•••• ${pending.key.slice(-4)}`).waitFor({ state: 'detached' });
  });

  it('of several licenses ends where the dialog is closed meanwhile, and the page says after how many', async () => {
    await tested.service.addLicense(developer, project._id);
    const page = await tested.openAs(developer, '/licenses');
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
    const dialog = await openDialog(page, 'Revoke');
    await dialog.getByLabel('Type 2 to confirm').fill('2');
    await page.route('**/revoke', async (route) => {
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('1 of 2 done').waitFor();
    await page.getByRole('row').getByText('Revoked').waitFor();
    expect(await page.getByRole('row').getByText('Pending').count()).toBe(1);
  });
});

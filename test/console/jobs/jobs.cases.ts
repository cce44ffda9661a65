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
import { addMember } from '../../e2e/access/member.js';
import { describeConsole } from '../console-under-test.js';
import { copied } from '../steps.js';
import { Vendor, VIEWPORTS } from '../vendor.js';
import { LicensedMachine } from '../licensed-machine.js';

const PRODUCT = 'com.example.web-shop';
describeConsole('The jobs of a vendor', (tested) => {
  describe.each(VIEWPORTS)('$name', (options) => {
    let developer: Developer;
    let vendor: Vendor;
    beforeEach(async () => {
      developer = await tested.register();
      vendor = await Vendor.at(tested, developer, options);
    });

    const read = async (id: string) =>
      (await tested.service.get(`/licenses/${id}`, developer)).body as Record<string, string>;

    it('1: signs up with 2 clicks, and sees what comes next until it is done or dismissed', async () => {
      const { page } = vendor;
      await page.context().clearCookies();
      await page.goto(tested.service.url);
      await vendor.click(page.getByRole('link', { name: 'Create account' }));
      await page.getByLabel('Name').fill('Ada');
      await page.getByLabel('E-mail').fill(`ada-${developer._id}@studio.example`);
      await page.getByLabel('Password').fill(PASSWORD);
      await vendor.click(vendor.button('Create account'));
      const checklist = page.getByRole('region', { name: 'What comes first' });
      await checklist.getByText('A client').waitFor();
      expect(vendor.clicks).toBe(2);
      await checklist.getByRole('button', { name: 'Dismiss the checklist' }).click();
      await checklist.waitFor({ state: 'detached' });
      await page.reload();
      await page.getByText('Latest events').waitFor();
      expect(await checklist.count()).toBe(0);
    });

    it('2: has the key of a new customer in the clipboard after 4 clicks in one dialog', async () => {
      const { page } = vendor;
      await vendor.click(vendor.button('New license'));
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Client' }).fill('Globex');
      await dialog.getByLabel('E-mail').fill(`office@${developer._id}.example`);
      await dialog.getByLabel('Project name').fill('Portal');
      await vendor.click(dialog.getByRole('checkbox', { name: 'Hosting' }));
      await vendor.click(dialog.getByRole('button', { name: 'Create' }));
      await vendor.click(dialog.getByRole('button', { name: 'Copy key' }));
      const key = await copied(vendor.page);
      expect((await activate(tested.service, { key })).status).toBe(200);
      expect(vendor.clicks).toBe(4);
    });

    it('3: frees the place of an old laptop by the pasted key with 2 clicks', async () => {
      const license = await createLicense(tested.service, developer);
      await activate(tested.service, license, LAPTOP);
      await vendor.paste(license.key);
      await vendor.page.getByText('Activated', { exact: true }).waitFor();
      await vendor.click(vendor.button(/^Release/));
      await vendor.click(vendor.page.getByRole('dialog').getByRole('button', { name: 'Release' }));
      await vendor.page.getByText('Machine released successfully').waitFor();
      expect(await read(license._id)).toMatchObject({ machinesCount: 0 });
      expect(vendor.clicks).toBe(2);
    });

    it('4: renews for six months with 2 clicks, and sees the end before and after first', async () => {
      const license = await createLicense(tested.service, developer, { duration: 1 });
      await activate(tested.service, license);
      await vendor.paste(license.key);
      await vendor.click(vendor.button('Renew'));
      const dialog = vendor.page.getByRole('dialog');
      await dialog.getByLabel('Duration (months)').fill('6');
      const end = dialog.locator('strong time');
      const shown = await end.getAttribute('datetime');
      await vendor.click(dialog.getByRole('button', { name: 'Renew' }));
      await vendor.page.getByText('License renewed successfully').waitFor();
      await vendor.page.getByRole('listitem').filter({ hasText: 'Renewed' }).waitFor();
      expect((await read(license._id)).expiresAt).toBe(shown);
      expect(vendor.clicks).toBe(2);
    });

    it('5: replaces a leaked key with 3 clicks: the new one is shown once and keeps the end of the term, and the former license is revoked', async () => {
      const license = await createLicense(tested.service, developer, { duration: 12 });
      await activate(tested.service, license);
      const before = await read(license._id);
      const { page } = vendor;
      await vendor.paste(license.key);
      await vendor.click(vendor.button('More'));
      await vendor.click(page.getByRole('menuitem', { name: 'Reissue' }));
      const dialog = page.getByRole('dialog', { name: `Reissue •••• ${before.keyHint}` });
      await vendor.click(dialog.getByRole('button', { name: 'Reissue' }));
      await dialog.getByRole('button', { name: 'Copy key' }).click();
      const key = await copied(vendor.page);
      expect((await activate(tested.service, { key })).body.expiresAt.slice(0, 10)).toBe(
        before.expiresAt?.slice(0, 10),
      );
      expect(vendor.clicks).toBe(3);
      await dialog.getByRole('link', { name: 'Open the new license' }).click();
      await page.getByText('Active', { exact: true }).waitFor();
      expect(await page.content()).not.toContain(key);
      await page.getByRole('link', { name: 'the former license' }).click();
      await page.getByText('Revoked', { exact: true }).first().waitFor();
    });

    it('6: lists the licenses that end next month with 1 click, and saves them as CSV with another', async () => {
      const now = new Date();
      const nextMonth = new Date(now.getFullYear(), now.getMonth() + 1, 15);
      const days = Math.round((nextMonth.getTime() - now.getTime()) / 86_400_000);
      const client = await createClient(tested.service, developer);
      for (const [projectName, term] of [
        ['Portal', { days }],
        ['Archive', { duration: 12 }],
      ] as const) {
        const terms = { projectName, services: ['Hosting'], ...term };
        const body = { clientId: client._id, ...terms };
        const created = await tested.service.post('/projects/createProject', body, developer);
        await activate(tested.service, created.body.license);
      }
      const { page } = vendor;
      await page.reload();
      await vendor.click(page.getByRole('link', { name: 'End next month' }));
      await page.getByRole('link', { name: 'Portal' }).waitFor();
      expect(await page.getByRole('link', { name: 'Archive' }).count()).toBe(0);
      const downloaded = page.waitForEvent('download');
      await vendor.click(vendor.button('Export CSV'));
      const csv = fs.readFileSync(await (await downloaded).path(), 'utf8');
      expect(csv.trim().split('\n')).toHaveLength(1 + 1);
      expect(csv).toContain('Portal');
      expect(vendor.clicks).toBe(2);
    });

    it('7: finds a customer by a part of the name or of the e-mail address with 1 click', async () => {
      const name = 'Société Générale de Développement Logiciel';
      await createClient(tested.service, developer, { name });
      await vendor.click(vendor.button('Search'));
      await vendor.page.getByRole('searchbox').fill('veloppement');
      await vendor.page.getByRole('option', { name }).waitFor();
      await vendor.page.keyboard.press('Enter');
      await vendor.page.getByRole('heading', { name }).waitFor();
      expect(vendor.clicks).toBe(1);
    });

    it('8: saves a certificate for a machine without a network with 2 clicks, and once more with the third', async () => {
      const client = await createClient(tested.service, developer);
      const { license } = await createProject(tested.service, developer, client._id, {
        product: PRODUCT,
      });
      const keys = (await tested.service.get('/signing-keys', developer)).body;
      const machine = new LicensedMachine(tested, PRODUCT, keys);
      const request = (await machine.call('request')) as string;
      const { page } = vendor;
      await vendor.paste(license.key);
      await vendor.click(page.getByText('Certificate for a machine without a network'));
      const field = page.getByLabel('Request');
      await field.fill('no request');
      await vendor.button('Issue certificate').click();
      expect(await field.evaluate((box: HTMLTextAreaElement) => box.validationMessage)).toBe(
        'Paste the request as the software shows it',
      );
      await field.fill(request);
      await page.getByLabel('Days').fill('30');
      for (const name of ['Issue certificate', 'Download it again']) {
        const downloaded = page.waitForEvent('download');
        await vendor.click(vendor.button(name));
        const file = await downloaded;
        expect(file.suggestedFilename()).toBe(`certificate-${license._id}.txt`);
        const certificate = fs.readFileSync(await file.path(), 'utf8');
        expect(await machine.call('install', certificate)).toMatchObject({ state: 'valid' });
      }
      await page.getByText('Certificate issued', { exact: true }).first().waitFor();
      expect(vendor.clicks).toBe(3);
    });

    it('9: sees the sessions with 1 click, ends one by itself, and signs out everywhere else with another', async () => {
      const other = await tested.openAs(developer, '/clients', { userAgent: 'Second browser' });
      await other.getByText('No clients yet').waitFor();
      const login = { email: developer.email, password: PASSWORD };
      const third = { headers: { 'User-Agent': 'Third browser' } };
      const { accessToken: token } = (await tested.service.post('/auth/login', login, third)).body;
      const { page } = vendor;
      await vendor.click(page.getByRole('link', { name: 'Account' }).first());
      await vendor.button('End Third browser').click();
      await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
      await page.getByRole('row', { name: 'Third browser' }).waitFor({ state: 'detached' });
      expect((await tested.service.get('/auth/me', { token })).status).toBe(401);
      await page.getByRole('row', { name: 'Second browser' }).getByText('127.0.0.1').waitFor();
      await other.getByRole('link', { name: 'Licenses' }).click();
      await other.getByText('No licenses yet').waitFor();

      await vendor.click(vendor.button('Sign out everywhere else'));
      await page.getByText('All other sessions ended successfully').waitFor();
      await page.getByText('Second browser').waitFor({ state: 'detached' });
      await page.getByRole('row', { name: 'This session' }).waitFor();
      expect(vendor.clicks).toBe(2);
      await other.getByRole('link', { name: 'Plans' }).click();
      await other.getByRole('button', { name: 'Log in' }).waitFor();
    });

    it('13: sees who revoked a license, and why, without a click, and in the log of the account with 2, which leads to all that this member has done', async () => {
      const license = await createLicense(tested.service, developer);
      const support = await addMember(tested.service, developer, 'support');
      const reason = 'Charged back';
      await tested.service.post(`/licenses/${license._id}/revoke`, { reason }, support);
      const { page } = vendor;
      await vendor.paste(license.key);
      const history = page.getByRole('region', { name: 'History' });
      await history.getByText(reason).waitFor();
      await history.getByRole('link', { name: 'Grace' }).waitFor();
      expect(vendor.clicks).toBe(0);
      await vendor.goTo('Events');
      await page.getByLabel('Type').selectOption('License revoked');
      const row = page.getByRole('row').filter({ hasText: reason });
      const member = row.getByRole('link', { name: 'Grace' });
      await member.waitFor();
      expect(vendor.clicks).toBeLessThanOrEqual(2);
      const others = page.getByRole('row').filter({ hasText: 'Member joined' });
      await others.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?type=license.revoked');
      await member.click();
      await others.waitFor();
      expect(new URL(page.url()).search).toBe(`?actor=${support._id}`);
      await row.getByRole('link', { name: `•••• ${license.key.slice(-4)}` }).click();
      await page.getByRole('heading', { name: 'License of Web shop' }).waitFor();
    });
  });
});

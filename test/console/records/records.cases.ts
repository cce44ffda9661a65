import type { Page } from 'playwright-core';
import { DESKTOP, LAPTOP } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import { chooseAction, copied, expectFocus, openDialog, submit, validityOf } from '../steps.js';

const PRODUCT = 'com.example.web-shop';

describeConsole('In the console', (tested) => {
  const developer = tested.useDeveloper();

  describe('clients', () => {
    it('are searched, with the search in the address, and load page by page', async () => {
      for (let number = 0; number < 25; number += 1) {
        await tested.service.createClient(developer, { name: `Client ${number}` });
      }
      const page = await tested.openAs(developer, '/clients');
      const rows = page.getByRole('table', { name: 'Customers' }).getByRole('row');
      await page.getByRole('link', { name: 'Client 24' }).waitFor();
      expect(await rows.count()).toBe(1 + 20);
      await page.getByRole('button', { name: 'Show more' }).click();
      await page.getByRole('link', { name: 'Client 0', exact: true }).waitFor();
      expect(await rows.count()).toBe(1 + 25);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Client 4');

      await page.getByLabel('Search').fill('client 2');
      await page.getByRole('link', { name: 'Client 19' }).waitFor({ state: 'detached' });
      expect(await rows.count()).toBe(1 + 6);
      await page.getByRole('status').getByText('6 customers', { exact: true }).waitFor();
      expect(new URL(page.url()).search).toBe('?search=client+2');

      await page.reload();
      await page.getByRole('link', { name: 'Client 24' }).waitFor();
      expect(await page.getByLabel('Search').inputValue()).toBe('client 2');
      await page.getByRole('navigation').getByRole('link', { name: 'Customers' }).first().click();
      await page.getByRole('link', { name: 'Client 19' }).waitFor();
      expect(await page.getByLabel('Search').inputValue()).toBe('');
    });

    it('are renamed, and their page and its title change immediately', async () => {
      const client = await tested.service.createClient(developer);
      const page = await tested.openAs(developer, `/clients/${client._id}`);
      const dialog = await openDialog(page, 'Edit customer');
      // Somebody else changes another field in the meantime.
      const email = `office@${developer._id}.example`;
      await tested.service.patch(`/clients/${client._id}`, { email }, developer);
      await submit(dialog, 'Save', { Name: 'Globex Inc' });
      await page.getByRole('heading', { name: 'Globex Inc' }).waitFor();
      await page.getByText(email).waitFor();
      expect(await page.title()).toBe('Globex Inc · License console');
      expect(await dialog.count()).toBe(0);
    });
  });

  describe('licenses', () => {
    const rowsOf = (page: Page) => page.getByRole('table').getByRole('row');

    it('are filtered, each view with its own address', async () => {
      const acme = await tested.service.createClient(developer, { name: 'Acme' });
      const globex = await tested.service.createClient(developer, { name: 'Globex' });
      const shop = await tested.service.createProject(developer, acme._id, { product: PRODUCT });
      await tested.service.createProject(developer, acme._id, { projectName: 'Portal' });
      await tested.service.createProject(developer, globex._id, { projectName: 'Archive' });
      await tested.service.activate(shop.license);

      const page = await tested.openAs(developer, '/licenses');
      await page.getByRole('link', { name: 'Archive' }).waitFor();
      await page.getByRole('button', { name: 'Filters' }).click();
      const boxOf = (name: string) => page.getByRole('checkbox', { name, exact: true });
      await boxOf('Active').check();
      await page.waitForURL('**/licenses?status=ACTIVE');
      await page.getByRole('link', { name: 'Archive' }).waitFor({ state: 'detached' });
      expect(await rowsOf(page).count()).toBe(1 + 1);
      await boxOf('Pending').check();
      await page.waitForURL('**/licenses?status=PENDING%2CACTIVE');
      await page.getByRole('link', { name: 'Archive' }).waitFor();
      expect(await rowsOf(page).count()).toBe(1 + 3);

      await page.getByRole('link', { name: 'Clear filters' }).click();
      const choice = page.getByRole('combobox', { name: 'Customer' });
      await choice.fill('Initech');
      await page.getByText('No customers match').waitFor();
      expect(await rowsOf(page).count()).toBe(0);
      await choice.fill('acm');
      await choice.press('Enter');
      await page.getByRole('button', { name: `Acme · ${acme.email}` }).click();
      await page.waitForURL(`**/licenses?clientId=${acme._id}`);
      await page.getByLabel('Project').selectOption('Portal');
      await page.waitForURL(/projectId=/);
      await page.getByRole('link', { name: 'Web shop' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'New license' }).click();
      await page.getByRole('dialog', { name: 'New license for Portal' }).waitFor();
      await page.keyboard.press('Escape');
      await page.goBack();
      await page.getByRole('link', { name: 'Web shop' }).waitFor();
      expect(await rowsOf(page).count()).toBe(1 + 2);

      await page.getByLabel('Product').selectOption(PRODUCT);
      await page.waitForURL(/product=com.example.web-shop/);
      await page.getByRole('link', { name: /· Portal$/ }).waitFor({ state: 'detached' });

      // Typed character by character: a date is valid, though not the intended one, from the first digit of its year.
      await page.getByLabel('Expires before', { exact: true }).focus();
      await page.keyboard.type('01012020');
      await page.keyboard.press('Enter');
      await page.waitForURL(/expiresBefore=2020-01-01/);
      await expectFocus(page.getByLabel('Expires before', { exact: true }));
      await page.getByText('No licenses match these filters').waitFor();
      await page.reload();
      await page.getByText('No licenses match these filters').waitFor();
      await page.getByRole('button', { name: 'Filters' }).click();
      expect(await page.getByLabel('Expires before', { exact: true }).inputValue()).toBe(
        '2020-01-01',
      );
      await page.getByRole('link', { name: 'Clear filters' }).click();
      await page.getByRole('link', { name: 'Archive' }).waitFor();
      expect(await page.getByLabel('Expires before', { exact: true }).inputValue()).toBe('');
      expect(await page.getByLabel('Product').inputValue()).toBe('');
    });

    it("show their expiry date in the reader's time zone", async () => {
      const license = await tested.service.createActiveLicense(developer, { duration: 1 });
      const zone = { timezoneId: 'Asia/Tokyo' };
      const page = await tested.openAs(developer, `/licenses/${license._id}`, zone);
      const { body } = await tested.service.get(`/licenses/${license._id}`, developer);
      const time = page.getByRole('definition').locator(`time[datetime="${body.expiresAt}"]`);
      const utc = String(body.expiresAt).slice(0, 19).replace('T', ' ');
      expect(await time.getAttribute('title')).toBe(`${utc} UTC`);
      const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const;
      const created = new Intl.DateTimeFormat('en-GB', style).format(new Date(body.createdAt));
      await page.getByRole('definition').getByText(created).last().waitFor();
    });

    it('show a truncated name as the tooltip of their row, a right-to-left one from its start', async () => {
      const projectName = `شركة ${'النور للتجارة '.repeat(12)}`.trim();
      const client = await tested.service.createClient(developer);
      await tested.service.createProject(developer, client._id, { projectName });
      const viewport = { width: 1024, height: 768 };
      const page = await tested.openAs(developer, '/licenses', { viewport });
      const name = page.getByRole('cell', { name: 'شركة' }).locator('[dir]');
      await name.hover({ force: true });
      await page.getByTitle(projectName).waitFor();
      expect(await name.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    });

    it('set the product of an existing project, unless it has another one', async () => {
      const { name, email, _id } = await tested.service.createClient(developer);
      await tested.service.createProject(developer, _id, { projectName: 'Portal' });
      const page = await tested.openAs(developer, '/licenses');
      const dialog = page.getByRole('dialog');
      const create = async (label: string, product: string) => {
        await page.getByRole('button', { name: 'New license' }).first().click();
        await dialog.getByRole('combobox', { name: 'Customer' }).fill(`${name} · ${email}`);
        await dialog.getByLabel('Email').waitFor({ state: 'detached' });
        await dialog.getByLabel('Hosting').check();
        await dialog.getByText('More options').click();
        if (label !== 'Product') {
          await dialog.getByLabel('Product', { exact: true }).selectOption('New product…');
        }
        await submit(dialog, 'Create', { 'Project name': 'Portal', [label]: product });
      };
      await create('Product', PRODUCT);
      await submit(dialog, 'Close');
      const [license] = (await tested.service.get('/licenses', developer)).body.data;
      expect(license.product).toBe(PRODUCT);
      await create('New product ID', `${PRODUCT}-2`);
      await dialog.getByText('This project already has a product').waitFor();
    });

    it('are issued from a plan for a project whose product was corrected, then suspended and resumed', async () => {
      const { service } = tested;
      const { client, project } = await service.createLicense(developer);
      const page = await tested.openAs(developer, '/plans');
      const dialog = await openDialog(page, 'New plan');
      await dialog.getByLabel('Hosting').check();
      await dialog.getByLabel('Seats', { exact: true }).fill('2');
      await submit(dialog, 'Create', { Name: 'Team', Entitlements: 'Team' });
      await dialog.getByText('Entitlements must each be 1 to 64 lowercase letters').waitFor();
      await dialog.getByLabel('Term', { exact: true }).selectOption({ value: 'days' });
      const plan = { Name: 'Team', Days: '30', Entitlements: 'team  export.pdf' };
      await submit(dialog, 'Create', plan);
      await page.getByText('Created Team').waitFor();
      await page.getByRole('cell', { name: '30 days' }).waitFor();

      await page.goto(`${tested.url}/clients/${client}`);
      await page.getByRole('button', { name: 'Edit project' }).click();
      await submit(dialog, 'Save', { 'Project name': 'Shop', Product: 'com.example.typo' });
      await page.getByRole('region', { name: 'Shop' }).getByText('com.example.typo').waitFor();
      await page.getByRole('button', { name: 'Edit project' }).click();
      await submit(dialog, 'Save', { Product: PRODUCT });
      await page.getByRole('region', { name: 'Shop' }).getByText(PRODUCT).waitFor();
      await page.getByRole('button', { name: 'New license' }).click();
      await submit(dialog, 'Create');
      const hosting = dialog.getByLabel('Hosting');
      expect(await validityOf(hosting)).toBe('Choose at least one service');
      await dialog.getByLabel('Plan', { exact: true }).selectOption('Team');
      await dialog.getByText('More options').click();
      await submit(dialog, 'Create', { 'Your reference': 'order-1' });
      await dialog.getByRole('link', { name: 'Open the license' }).click();
      await page.getByRole('heading', { name: 'Shop license' }).waitFor();
      await page.getByText('export.pdf, team').waitFor();

      const query = `externalId=order-1&projectId=${project}`;
      const [license] = (await service.get(`/licenses?${query}`, developer)).body.data;
      expect(license).toMatchObject({ days: 30, maxMachines: 2 });
      for (const machine of [LAPTOP, DESKTOP]) await service.activate(license, machine);
      await page.reload();
      await page.getByText('2 of 2 seats in use').waitFor();
      for (const [action, status] of [
        ['Suspend', 'Suspended'],
        ['Resume', 'Active'],
      ] as const) {
        if (action === 'Suspend') await chooseAction(page, action);
        else await openDialog(page, action);
        await submit(dialog, action, action === 'Suspend' ? { Reason: 'Invoice unpaid' } : {});
        await page.getByText(status, { exact: true }).first().waitFor();
        const change = status === 'Active' ? 'Suspended → Active' : 'Active → Suspended';
        await page.getByText(`Status: ${change}`).waitFor();
        const reason = page.getByRole('definition').getByText('Invoice unpaid');
        expect(await reason.count()).toBe(action === 'Suspend' ? 1 : 0);
        const certificates = await page.getByText('Offline activation').count();
        expect(certificates).toBe(status === 'Active' ? 1 : 0);
      }
    });

    it('of a changed plan are issued three at a time, get a note, and are revoked together', async () => {
      const { service } = tested;
      await service.post('/plans', { name: 'Team', days: 30, services: ['Hosting'] }, developer);
      const { _id, client, project } = await service.createLicense(developer);
      const page = await tested.openAs(developer, '/plans');
      const dialog = page.getByRole('dialog');
      await chooseAction(page, 'Edit', 'Actions for');
      await dialog.getByLabel('Term', { exact: true }).selectOption('2 years');
      await submit(dialog, 'Save', { Seats: '5' });
      await page.getByRole('cell', { name: '2 years' }).waitFor();

      await page.goto(`${tested.url}/licenses/${_id}`);
      await openDialog(page, 'Edit');
      await dialog.getByLabel('Domain').check();
      await submit(dialog, 'Save', { Notes: 'seller: Miriam\ntag: reseller' });
      await page.getByRole('definition').getByText('tag: reseller').waitFor();
      await page.getByRole('definition').getByText('Hosting, Domain').waitFor();

      await page.goto(`${tested.url}/clients/${client}`);
      await page.getByRole('button', { name: 'New license' }).click();
      await dialog.getByLabel('Plan', { exact: true }).selectOption('Team');
      await dialog.getByText('More options').click();
      await submit(dialog, 'Create', { 'Number of licenses': '3' });
      expect((await copied(page, 'Copy keys')).split('\n')).toHaveLength(3);
      await submit(dialog, 'Close');
      await page.goto(`${tested.url}/plans`);
      await page.getByRole('link', { name: '3, view licenses of Team' }).waitFor();
      const query = `/licenses?projectId=${project}&total=true`;
      const { data, total } = (await service.get(query, developer)).body;
      expect(total).toBe(1 + 3);
      expect(data[0]).toMatchObject({ days: 730, maxMachines: 5 });
      expect(data[3]).toMatchObject({ metadata: { seller: 'Miriam', tag: 'reseller' } });

      await page.goBack();
      await openDialog(page, 'Revoke all');
      const [title = ''] = /(?<=licenses of ).+(?=\?)/.exec(await dialog.innerText()) ?? [];
      await submit(dialog, 'Revoke all', { [`Type ${title} to confirm`]: title });
      await page.getByText(`Revoking the licenses of ${title}`).waitFor();
    });

    it('are counted on the overview, which also renews expiring licenses', async () => {
      const terms = { duration: 1, projectName: 'Portal' };
      const license = await tested.service.createActiveLicense(developer, terms);
      await tested.service.addLicense(developer, license.project);
      const { body } = await tested.service.get(`/licenses/${license._id}`, developer);
      const inUtc = { dateStyle: 'medium', timeZone: 'UTC' } as const;
      const day = new Date(body.activatedAt as string).toLocaleDateString('en-GB', inUtc);

      const page = await tested.openAs(developer);
      await page.getByRole('link', { name: '1 Active' }).waitFor();
      await page.getByRole('link', { name: '1 Pending' }).waitFor();
      await page.getByText('1 license activated in the last 30 days').waitFor();
      await page.getByText('Show as table').click();
      const row = page.getByRole('table').getByRole('row').filter({ hasText: day });
      expect(await row.innerText()).toMatch(/\s1$/);
      await page.getByRole('region', { name: 'Latest events' }).getByText('Activated').waitFor();

      // A month may have 31 days, so the browser's clock is some days ahead.
      await page.clock.setSystemTime(Date.now() + 3 * 86_400_000);
      await page.reload();
      const expiring = page.getByRole('region', { name: 'Expiring soon' });
      await expiring.getByRole('link', { name: 'Portal' }).waitFor();
      await expiring.getByRole('button', { name: 'Renew' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click();
      await page.getByText(`Renewed •••• ${license.key.slice(-4)}`).waitFor();
      await expiring.getByRole('link', { name: 'Portal' }).waitFor({ state: 'detached' });

      await page.getByRole('link', { name: '1 Active' }).click();
      await page.waitForURL('**/licenses?status=ACTIVE');
    });
  });
});

import type { BrowserContextOptions, Page } from 'playwright-core';
import { DESKTOP, LAPTOP } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import { chooseAction, submit } from '../steps.js';

const PRODUCT = 'com.example.web-shop';

describeConsole('In the console', (tested) => {
  const developer = tested.useDeveloper();

  describe('clients', () => {
    it('are searched, with the search in the address, and read page by page', async () => {
      for (let number = 0; number < 25; number += 1) {
        await tested.service.createClient(developer, { name: `Client ${number}` });
      }
      const page = await tested.openAs(developer, '/clients');
      const rows = page.getByRole('table', { name: 'Clients' }).getByRole('row');
      await page.getByRole('link', { name: 'Client 24' }).waitFor();
      expect(await rows.count()).toBe(1 + 20);
      await page.getByRole('button', { name: 'Show more' }).click();
      await page.getByRole('link', { name: 'Client 0', exact: true }).waitFor();
      expect(await rows.count()).toBe(1 + 25);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Client 4');

      await page.getByLabel('Search').fill('client 2');
      await page.getByRole('link', { name: 'Client 19' }).waitFor({ state: 'detached' });
      expect(await rows.count()).toBe(1 + 6);
      await page.getByRole('status').getByText('6 shown', { exact: true }).waitFor();
      expect(new URL(page.url()).search).toBe('?search=client+2');

      await page.reload();
      await page.getByRole('link', { name: 'Client 24' }).waitFor();
      expect(await page.getByLabel('Search').inputValue()).toBe('client 2');
      await page.getByLabel('Search').fill('nobody');
      await page.getByText('No client matches').waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Clients' }).first().click();
      await page.getByRole('link', { name: 'Client 19' }).waitFor();
      expect(await page.getByLabel('Search').inputValue()).toBe('');
    });

    it('are created, rejected with the reason at the field, and renamed', async () => {
      const { email } = await tested.service.createClient(developer);
      const page = await tested.openAs(developer, '/clients');
      await page.getByRole('button', { name: 'New client' }).click();
      const dialog = page.getByRole('dialog', { name: 'New client' });
      await submit(dialog, 'Create', { Name: 'Globex', 'E-mail': email });
      await dialog.getByText('Another client has this e-mail address.').waitFor();
      expect(await dialog.getByText('Request id').count()).toBe(0);

      await submit(dialog, 'Create', { 'E-mail': 'office@globex.example' });
      await page.getByRole('heading', { name: 'Globex' }).waitFor();
      expect(await page.title()).toBe('Globex · License console');

      await page.getByRole('button', { name: 'Edit client' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Globex Inc');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Globex Inc' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    });

    it('have projects, which are edited, and get more licenses', async () => {
      const { client } = await tested.service.createLicense(developer);
      const page = await tested.openAs(developer, `/clients/${client}`);
      await page.getByRole('button', { name: 'Edit project' }).click();
      await submit(page, 'Save', { 'Project name': 'Shop', Product: 'com.example.shop' });
      const project = page.getByRole('region', { name: 'Shop' });
      await project.getByText('com.example.shop').waitFor();

      await page.getByRole('button', { name: 'New license' }).click();
      const create = page.getByRole('dialog').getByRole('button', { name: 'Create' });
      await create.click();
      // The browser itself says that a service has to be chosen.
      const hosting = page.getByRole('checkbox', { name: 'Hosting' });
      expect(await hosting.evaluate((box: HTMLInputElement) => box.validationMessage)).toBe(
        'Choose at least one service',
      );
      await page.getByRole('checkbox', { name: 'Domain' }).check();
      await create.click();
      await page.getByRole('link', { name: 'Open the license' }).click();
      await page.getByRole('heading', { name: 'License of Shop' }).waitFor();
      await page.goBack();
      await project.getByRole('link').nth(1).waitFor();
    });
  });

  describe('licenses', () => {
    const openLicense = (id: string, options: BrowserContextOptions = {}) =>
      tested.openAs(developer, `/licenses/${id}`, options);
    const rowsOf = (page: Page) => page.getByRole('table').getByRole('row');

    it('are filtered, each view at an address of its own', async () => {
      const acme = await tested.service.createClient(developer, { name: 'Acme' });
      const globex = await tested.service.createClient(developer, { name: 'Globex' });
      const shop = await tested.service.createProject(developer, acme._id, { product: PRODUCT });
      await tested.service.createProject(developer, acme._id, { projectName: 'Portal' });
      await tested.service.createProject(developer, globex._id, { projectName: 'Archive' });
      await tested.service.activate(shop.license);

      const page = await tested.openAs(developer, '/licenses');
      await page.getByRole('link', { name: 'Archive' }).waitFor();
      await page.getByLabel('Status').selectOption('Active');
      await page.waitForURL('**/licenses?status=ACTIVE');
      await page.getByRole('link', { name: 'Archive' }).waitFor({ state: 'detached' });
      expect(await rowsOf(page).count()).toBe(1 + 1);

      await page.getByRole('link', { name: 'Clear filters' }).click();
      const choice = page.getByRole('combobox', { name: 'Client' });
      await choice.fill('ac');
      await page.locator(`datalist option[value^="Acme"]`).waitFor({ state: 'attached' });
      await choice.fill(`Acme · ${acme.email}`);
      await page.waitForURL(`**/licenses?clientId=${acme._id}`);
      await page.getByLabel('Project').selectOption('Portal');
      await page.waitForURL(/projectId=/);
      await page.getByRole('link', { name: 'Web shop' }).waitFor({ state: 'detached' });
      await page.goBack();
      await page.getByRole('link', { name: 'Web shop' }).waitFor();
      expect(await rowsOf(page).count()).toBe(1 + 2);

      await page.getByLabel('Product').fill(PRODUCT);
      await page.getByLabel('Product').press('Enter');
      await page.waitForURL(/product=com.example.web-shop/);
      await page.getByRole('link', { name: 'Portal' }).waitFor({ state: 'detached' });

      // Typed as somebody types it: a date is valid, though not meant, from the first digit of its year on.
      await page.getByLabel('Expires before').focus();
      await page.keyboard.type('01012020');
      await page.keyboard.press('Enter');
      await page.waitForURL(/expiresBefore=2020-01-01/);
      expect(await page.getByLabel('Expires before').evaluate((it) => it.matches(':focus'))).toBe(
        true,
      );
      await page.getByText('No license matches these filters').waitFor();
      await page.reload();
      await page.getByText('No license matches these filters').waitFor();
      expect(await page.getByLabel('Expires before').inputValue()).toBe('2020-01-01');
      await page.getByRole('link', { name: 'Clear filters' }).click();
      await page.getByRole('link', { name: 'Archive' }).waitFor();
      expect(await page.getByLabel('Expires before').inputValue()).toBe('');
      expect(await page.getByLabel('Product').inputValue()).toBe('');
    });

    it('say when they end in the time zone of the reader', async () => {
      const license = await tested.service.createLicense(developer, { duration: 1 });
      await tested.service.activate(license);
      const page = await openLicense(license._id, { timezoneId: 'Asia/Tokyo' });
      const { body } = await tested.service.get(`/licenses/${license._id}`, developer);
      const time = page.getByRole('definition').locator(`time[datetime="${body.expiresAt}"]`);
      const utc = String(body.expiresAt).slice(0, 19).replace('T', ' ');
      expect(await time.getAttribute('title')).toBe(`${utc} UTC`);
      const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const;
      const created = new Intl.DateTimeFormat('en-GB', style).format(new Date(body.createdAt));
      await page.getByRole('definition').getByText(created).last().waitFor();
    });

    it('of a team are sold by a plan, free the places of their machines, and are suspended and resumed', async () => {
      const { service } = tested;
      const { client, project } = await service.createLicense(developer);
      const page = await tested.openAs(developer, '/plans');
      const dialog = page.getByRole('dialog');

      await page.getByRole('button', { name: 'New plan' }).click();
      await dialog.getByLabel('Name').fill('Team');
      await dialog.getByLabel('Hosting').check();
      await dialog.getByLabel('Days').fill('30');
      await dialog.getByLabel('Machines', { exact: true }).fill('2');
      await submit(dialog, 'Create', { Entitlements: 'team  export.pdf' });
      await page.getByText('Plan created successfully').waitFor();
      await page.getByRole('cell', { name: '30 days' }).waitFor();

      await page.goto(`${tested.url}/clients/${client}`);
      await page.getByRole('button', { name: 'New license' }).click();
      await dialog.getByLabel('Hosting').check();
      await dialog.getByText('Plan, machines, entitlements').click();
      await dialog.getByLabel('Plan', { exact: true }).selectOption('Team');
      await submit(dialog, 'Create', { 'External id': 'order-1' });
      await dialog.getByRole('link', { name: 'Open the license' }).click();
      await page.getByText('export.pdf, team').waitFor();

      const query = `externalId=order-1&projectId=${project}`;
      const [license] = (await service.get(`/licenses?${query}`, developer)).body.data;
      expect(license).toMatchObject({ days: 30, maxMachines: 2 });
      for (const machine of [LAPTOP, DESKTOP]) await service.activate(license, machine);
      await page.getByText('2 of 2 in use').first().waitFor();
      await page
        .getByRole('button', { name: /^Release/ })
        .first()
        .click();
      await dialog.getByRole('button', { name: 'Release' }).click();
      await page.getByText('Machine released successfully').waitFor();
      await page.getByText('1 of 2 in use').first().waitFor();

      for (const [action, status] of [
        ['Suspend', 'Suspended'],
        ['Resume', 'Active'],
      ] as const) {
        await chooseAction(page, action);
        await dialog.getByRole('button', { name: action }).click();
        await page.getByText(status, { exact: true }).first().waitFor();
      }
    });

    it('are counted on the overview, where those that expire soon are renewed', async () => {
      const terms = { duration: 1, projectName: 'Portal' };
      const license = await tested.service.createLicense(developer, terms);
      await tested.service.activate(license);
      await tested.service.addLicense(developer, license.project);
      const { body } = await tested.service.get(`/licenses/${license._id}`, developer);
      const inUtc = { dateStyle: 'medium', timeZone: 'UTC' } as const;
      const day = new Date(body.activatedAt as string).toLocaleDateString('en-GB', inUtc);

      const page = await tested.openAs(developer);
      await page.getByRole('link', { name: '1 Active' }).waitFor();
      await page.getByRole('link', { name: '1 Pending' }).waitFor();
      await page.getByText('1 new activation in the last 30 days').waitFor();
      await page.getByText('Show as a table').click();
      const row = page.getByRole('table').getByRole('row').filter({ hasText: day });
      expect(await row.innerText()).toMatch(/\s1$/);
      await page.getByRole('region', { name: 'Latest events' }).getByText('Activated').waitFor();

      // A month may have 31 days, so the browser is some days ahead.
      await page.clock.setSystemTime(Date.now() + 3 * 86_400_000);
      await page.reload();
      const expiring = page.getByRole('region', { name: 'Expiring soon' });
      await expiring.getByRole('link', { name: 'Portal' }).waitFor();
      await expiring.getByRole('button', { name: 'Renew' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click();
      await page.getByText('License renewed successfully').waitFor();
      await expiring.getByRole('link', { name: 'Portal' }).waitFor({ state: 'detached' });

      await page.getByRole('link', { name: '1 Active' }).click();
      await page.waitForURL('**/licenses?status=ACTIVE');
      await page
        .getByRole('table', { name: 'Licenses' })
        .getByRole('link', { name: 'Portal' })
        .first()
        .waitFor();
    });
  });
});

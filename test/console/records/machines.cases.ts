import type { Page } from 'playwright-core';
import { type CreatedLicense, DESKTOP, LAPTOP } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import { chooseAction, copied, expectFocus, submit } from '../steps.js';

/** More than two pages of a list. */
const DESKS = 45;

describeConsole('The machines of a license in the console', (tested) => {
  const developer = tested.useDeveloper();
  const rowsOf = (page: Page) => page.getByRole('table', { name: 'Machines' }).getByRole('row');
  const activate = ({ key }: CreatedLicense, machineName: string) =>
    tested.service.post('/validate/activate', {
      ...{ key, fingerprint: `fingerprint of ${machineName}`, machineName },
    });

  it('load page by page, are released on each page, and are searched by name, with the search in the address', async () => {
    const license = await tested.service.createLicense(developer, { maxMachines: 50 });
    for (let number = 0; number < DESKS; number += 1) await activate(license, `Desk ${number}`);
    const page = await tested.openAs(developer, `/licenses/${license._id}`);
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/machines')) requests.push(searchParams.get('cursor') ?? 'first');
    });
    const panel = page.getByRole('region', { name: 'Machines' });
    const found = panel.getByRole('status');
    await panel.getByText('45 of 50 seats in use').waitFor();
    await found.getByText('20 of 45 machines').waitFor();
    expect(await rowsOf(page).count()).toBe(1 + 20);
    expect(new Set(requests)).toEqual(new Set(['first']));
    await panel.getByRole('button', { name: 'Show more' }).click();
    await found.getByText('40 of 45 machines').waitFor();
    expect(await rowsOf(page).count()).toBe(1 + 40);
    await expectFocus(rowsOf(page).nth(1 + 20));

    await panel.getByRole('button', { name: 'Release Desk 10', exact: true }).click();
    await submit(page.getByRole('dialog', { name: 'Release Desk 10 from' }), 'Release');
    await page.getByText('Released Desk 10').waitFor();
    await panel.getByText('44 of 50 seats in use').waitFor();
    await found.getByText('40 of 44 machines').waitFor();
    expect(await panel.getByText('Desk 10').count()).toBe(0);
    await expectFocus(rowsOf(page).filter({ hasText: 'Desk 9' }));

    const search = panel.getByLabel('Search');
    await search.fill('desk 1');
    await found.getByText('10 machines').waitFor();
    expect(await rowsOf(page).count()).toBe(1 + 10);
    expect(new URL(page.url()).search).toBe('?search=desk+1');
    await expectFocus(search);
    await page.reload();
    await found.getByText('10 machines').waitFor();
    await panel.getByLabel('Search').fill('laptop');
    await panel.getByText('No machines match').waitFor();
    await panel.getByLabel('Search').fill('');
    await found.getByText('20 of 44 machines').waitFor();
    await expectFocus(search);
  });

  it('are found by their id in the global search, which opens the license', async () => {
    const license = await tested.service.createLicense(developer, { maxMachines: 20 });
    for (const name of ['Laptop', 'Desk']) await activate(license, name);
    const { data } = (await tested.service.get(`/licenses/${license._id}/machines`, developer))
      .body as { data: { machineId: string; name: string; lastSeenAt: string }[] };
    const page = await tested.openAs(developer, '', { timezoneId: 'America/Los_Angeles' });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill(data.find(({ name }) => name === 'Laptop')!.machineId);
    const option = page.getByRole('option', { name: 'Laptop' });
    await option.getByText(`Machine · •••• ${license.key.slice(-4)}, Web shop`).waitFor();
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('heading', { name: 'Web shop license' }));
    await rowsOf(page).getByText('Laptop').waitFor();
    expect(await rowsOf(page).count()).toBe(1 + 1);
    // It is a day in UTC, which the reader's time zone must not shift.
    const lastSeen = new Date(data[0]!.lastSeenAt);
    const style = { dateStyle: 'medium', timeZone: 'UTC' } as const;
    const day = new Intl.DateTimeFormat('en-GB', style).format(lastSeen);
    const shown = page.locator(`time[datetime="${data[0]!.lastSeenAt.slice(0, 10)}"]`);
    expect(await shown.textContent()).toBe(day);
  });

  it('stay, with the expiry date, if the license is reissued with them: installed apps only need the new key', async () => {
    const license = await tested.service.createLicense(developer, { maxMachines: 2 });
    for (const machine of [LAPTOP, DESKTOP]) await tested.service.activate(license, machine);
    const before = await tested.service.readLicense(developer, license);
    const page = await tested.openAs(developer);
    // No license expires during a test.
    await page.route(`${tested.service.url}/licenses/${license._id}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), status: 'EXPIRED' } });
    });
    await page.goto(`${tested.url}/licenses/${license._id}`);
    await chooseAction(page, 'Reissue');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('must activate again').waitFor();
    const term = dialog.getByLabel('Term (months)');
    expect(await term.count()).toBe(1);
    await dialog.getByRole('checkbox', { name: 'Keep machines and expiry date' }).check();
    await dialog.getByText('Installed apps only need the new key').waitFor();
    expect(await dialog.getByText('must activate again').count()).toBe(0);
    expect(await term.count()).toBe(0);
    await submit(dialog, 'Reissue');
    await dialog.getByRole('button', { name: 'Copy key' }).click();
    const key = await copied(page);

    expect(await tested.service.validationOf(license, LAPTOP)).toBe('revoked');
    for (const machine of [LAPTOP, DESKTOP]) {
      expect(await tested.service.validationOf({ key }, machine)).toBe('active');
    }
    await dialog.getByRole('link', { name: 'Open the new license' }).click();
    await page.getByText('2 of 2 seats in use').waitFor();
    await rowsOf(page).nth(2).waitFor();
    const end = page.getByRole('definition').locator(`time[datetime="${before.expiresAt}"]`);
    expect(await end.count()).toBe(1);
  });
});

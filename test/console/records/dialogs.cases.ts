import { describeConsole } from '../console-under-test.js';
import { chooseAction, copied, expectFocus, openDialog, submit, untilValue } from '../steps.js';

describeConsole('Each dialog of the console', (tested) => {
  const developer = tested.useDeveloper();

  it('focuses its first field, or Cancel if Enter would do something irreversible', async () => {
    const license = await tested.service.createActiveLicense(developer);
    const page = await tested.openAs(developer, `/licenses/${license._id}`);
    const dialog = await openDialog(page, 'Renew');
    await expectFocus(dialog.getByLabel('Term (months)'));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await chooseAction(page, 'Suspend');
    await expectFocus(dialog.getByLabel('Reason'));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    for (const action of ['Reissue', 'Revoke']) {
      await chooseAction(page, action);
      await expectFocus(dialog.getByRole('button', { name: 'Cancel' }));
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('asks for confirmation before Escape discards input, such as for an action of the search', async () => {
    const page = await tested.openAs(developer, '/licenses');
    await page.getByText('No licenses yet').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'New customer' }).click();
    const dialog = page.getByRole('dialog', { name: 'New customer' });
    await dialog.getByLabel('Name').fill('Globex');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Globex');
    await expectFocus(dialog.getByLabel('Name'));
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
    await page.getByRole('checkbox', { name: 'Active', exact: true }).check();
    await page.getByRole('row', { name: 'Globex' }).getByText('Active').waitFor();
    await chooseAction(page, 'Reissue', 'Actions for');
    await dialog.getByRole('button', { name: 'Reissue' }).click();
    expect(await copied(page, 'Copy key')).not.toBe(first);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('No licenses match').waitFor();
  });

  it('stays open while someone else changes its record, then explains the conflict', async () => {
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

  it('reloads the list after a conflict', async () => {
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

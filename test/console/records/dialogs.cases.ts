import { LAPTOP } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import { expectFocus } from '../keyboard.js';
import { chooseAction, copied, submit } from '../steps.js';

describeConsole('Each dialog of the console', (tested) => {
  const developer = tested.useDeveloper();

  it('begins at its first field, and at Cancel where Enter would do what cannot be undone', async () => {
    const license = await tested.service.createLicense(developer);
    await tested.service.activate(license, LAPTOP);
    const page = await tested.openAs(developer, `/licenses/${license._id}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Renew' }).click();
    await expectFocus(dialog.getByLabel('Duration (months)'));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    for (const action of ['Suspend', 'Reissue', 'Revoke']) {
      await chooseAction(page, action);
      await expectFocus(dialog.getByRole('button', { name: 'Cancel' }));
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('of a reissue names what is left of a term that has begun, and no end of one that has not', async () => {
    const license = await tested.service.createLicense(developer, { duration: null, days: 30 });
    const page = await tested.openAs(developer, `/licenses/${license._id}`);
    const dialog = page.getByRole('dialog');
    await chooseAction(page, 'Reissue');
    await dialog.getByText('keeps the terms').waitFor();
    expect(await dialog.innerText()).not.toMatch(/on \d/);
    await tested.service.activate(license);
    await page.reload();
    await chooseAction(page, 'Reissue');
    await dialog.getByText('for what is left of this one: 30 days.').waitFor();
  });

  it('keeps its buttons in sight below a form longer than the window, clear of the focus', async () => {
    const viewport = { width: 1280, height: 800 };
    const page = await tested.openAs(developer, '/account/webhooks', { viewport });
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'All events' }).uncheck();
    for (const folded of ['Licenses', 'API keys', 'Members', 'Webhooks']) {
      await dialog.getByText(folded, { exact: true }).click();
    }
    await dialog.evaluate((element) => element.parentElement?.scrollTo(0, 0));
    const buttons = dialog.getByRole('button', { name: /Cancel|Create/ });
    const places = () => Promise.all([0, 1].map((index) => buttons.nth(index).boundingBox()));
    const before = await places();
    for (const place of before) expect(place!.y + place!.height).toBeLessThanOrEqual(800);
    await dialog.locator('input').first().focus();
    const focused = page.locator('form :focus');
    while (await focused.evaluate(({ tagName }) => tagName !== 'BUTTON')) {
      const { y, height } = (await focused.boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(before[0]!.y);
      await page.keyboard.press('Tab');
    }
    expect(await places()).toEqual(before);
  });

  it('shows the key of a first license, and of a replacement, until it is closed, though what has opened it drops out of the list', async () => {
    const page = await tested.openAs(developer, '/licenses');
    const dialog = page.getByRole('dialog');
    await page.getByText('No licenses yet').waitFor();
    await page.getByRole('button', { name: 'New license' }).last().click();
    await dialog.getByRole('combobox', { name: 'Client' }).fill('Globex');
    await dialog.getByLabel('E-mail').fill(`office@${developer._id}.example`);
    await dialog.getByLabel('Project name').fill('Portal');
    await dialog.getByRole('checkbox', { name: 'Hosting' }).check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('button', { name: 'Copy key' }).click();
    const first = await copied(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: 'Globex' }).waitFor();

    await tested.service.activate({ key: first });
    await page.getByLabel('Status').selectOption('Active');
    await page.getByRole('row', { name: 'Globex' }).getByText('Active').waitFor();
    await page.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Reissue' }).click();
    await dialog.getByRole('button', { name: 'Reissue' }).click();
    await dialog.getByRole('button', { name: 'Copy key' }).click();
    expect(await copied(page)).not.toBe(first);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('No license matches').waitFor();
  });

  it('stays as it is while somebody else changes its record, and then says why it is too late', async () => {
    const license = await tested.service.createLicense(developer);
    await tested.service.activate(license, LAPTOP);
    const page = await tested.openAs(developer);
    await page.clock.install();
    await page.goto(`${tested.url}/licenses/${license._id}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Renew' }).click();
    await dialog.getByLabel('Duration (months)').fill('3');
    await tested.service.post(`/licenses/${license._id}/revoke`, {}, developer);
    await page.clock.runFor(10_000);
    await page.waitForLoadState('networkidle');
    await submit(dialog, 'Renew');
    await dialog.getByText('This license was revoked.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.clock.runFor(10_000);
    await page.getByText('Revoked', { exact: true }).first().waitFor();
  });

  it('that was too late is followed by the list as it is by now', async () => {
    const license = await tested.service.createLicense(developer);
    const page = await tested.openAs(developer, '/licenses');
    await page.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await tested.service.post(`/licenses/${license._id}/revoke`, {}, developer);
    const dialog = page.getByRole('dialog');
    await submit(dialog, 'Suspend');
    await dialog.getByText('This license was revoked.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('row').getByText('Revoked').waitFor();
  });
});

import type { Page } from 'playwright-core';
import { PASSWORD } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import { openDialog, submit } from '../steps.js';

describeConsole('A change that needs a recent confirmation', (tested) => {
  const owner = tested.useDeveloper();

  /** As if ten minutes had passed since the user signed in, for the next change. */
  const expireConfirmation = (page: Page, factors: string[] = []) => {
    let isExpired = true;
    return page.route(/(api-keys|members)$/, (route) => {
      if (route.request().method() !== 'POST' || !isExpired) return route.fallback();
      isExpired = false;
      const json = { message: 'Confirmation required', code: 'STEP_UP_REQUIRED', factors };
      return route.fulfill({ status: 403, json });
    });
  };

  it('asks for the password, then runs once with the input', async () => {
    const page = await tested.openAs(owner, '/account/api-keys');
    await expireConfirmation(page);
    const form = await openDialog(page, 'New API key');
    await form.getByRole('button', { name: 'A shop that issues licenses' }).click();
    await submit(form, 'Create', { Name: 'Checkout' });

    const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
    await submit(dialog, 'Confirm', { Password: 'not my password' });
    await dialog.getByText("This isn't your current password.").waitFor();
    await submit(dialog, 'Confirm', { Password: PASSWORD });
    await page.getByRole('button', { name: 'Copy secret' }).waitFor();
    const { data } = (await tested.service.get('/api-keys', owner)).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Checkout']);
  });

  it('does nothing without a confirmation, and keeps the input', async () => {
    const page = await tested.openAs(owner, '/account/team');
    await expireConfirmation(page);
    const email = `grace-${owner._id}@studio.example`;
    const form = await openDialog(page, 'Invite member');
    await submit(form, 'Invite member', { Email: email });
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await form.getByText("you didn't confirm").waitFor();
    expect(await form.getByLabel('Email').inputValue()).toBe(email);
    await submit(form, 'Invite member');
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
  });
});

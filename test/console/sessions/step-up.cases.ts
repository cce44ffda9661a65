import { PASSWORD } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import { expireConfirmation, logIn, nextCodes, openDialog, submit } from '../steps.js';

describeConsole('A change that needs a recent confirmation', (tested) => {
  const owner = tested.useDeveloper();

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

  it('accepts a code from the authenticator app instead of the password', async () => {
    const { service } = tested;
    const { secret } = (await service.post('/auth/factors/totp', {}, owner)).body;
    const [code, second] = await nextCodes(String(secret));
    const { recoveryCodes } = (await service.post('/auth/factors/totp/confirm', { code }, owner))
      .body;
    const page = await tested.open('/account/api-keys');
    await logIn(page, owner);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await submit(page, 'Sign in', { 'Recovery code': recoveryCodes[0] });
    await page.getByRole('button', { name: 'New API key' }).first().waitFor();
    await expireConfirmation(page, ['totp']);
    const form = await openDialog(page, 'New API key');
    await form.getByRole('button', { name: 'A shop that issues licenses' }).click();
    await submit(form, 'Create', { Name: 'Checkout' });
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
    await submit(dialog, 'Confirm', { Code: '000 000' });
    await dialog.getByText("That code or passkey wasn't accepted").waitFor();
    await submit(dialog, 'Confirm', { Code: second });
    await page.getByRole('button', { name: 'Copy secret' }).waitFor();
  });
});

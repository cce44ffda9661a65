import fs from 'node:fs';
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { describeConsole } from '../console-under-test.js';
import {
  confirm,
  copied,
  expireConfirmation,
  logIn,
  nextCodes,
  openDialog,
  submit,
} from '../steps.js';
import { openWithAuthenticator } from '../virtual-authenticator.js';

describeConsole('Second factors in the console', (tested) => {
  const owner = tested.useDeveloper();

  const signOut = (page: Page) =>
    page.getByRole('button', { name: 'Sign out', exact: true }).click();
  const overviewOf = (page: Page) => page.getByRole('heading', { name: 'Overview' }).waitFor();

  it('are passkeys, which sign in alone and after the password, until they are removed', async () => {
    const { page, setPresent } = await openWithAuthenticator(tested, '/account/security');
    await logIn(page, owner);
    const form = await openDialog(page, 'Add passkey');
    await submit(form, 'Add passkey', { Name: 'Laptop' });
    await page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor();
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = fs.readFileSync(await (await downloaded).path(), 'utf8');
    expect(await copied(page, 'Copy codes')).toBe(file);
    expect(file.trim().split('\n')).toHaveLength(10);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: 'Laptop' }).getByText('Never').waitFor();

    // Chosen when the browser fills in the email field.
    await signOut(page);
    await overviewOf(page);

    await setPresent(false);
    await signOut(page);
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await button.waitFor();
    await setPresent(true);
    await button.click();
    await overviewOf(page);

    await setPresent(false);
    await signOut(page);
    await logIn(page, owner);
    await setPresent(true);
    await page.getByText('Your browser asks for your passkey').waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await overviewOf(page);
    await page.getByRole('link', { name: 'Security' }).click();
    await expireConfirmation(page, ['passkey']);
    await page.getByRole('button', { name: 'Remove Laptop' }).click();
    await submit(page.getByRole('dialog'), 'Remove');
    await submit(page.getByRole('dialog', { name: "Confirm it's you" }), 'Confirm');
    await page.getByText('You have no passkeys').waitFor();
  });

  it('are an authenticator app, set up by text, and recovery codes, which are replaced', async () => {
    const page = await tested.openAs(owner, '/account/security');
    const form = await openDialog(page, 'Set up app');
    await form.getByRole('img', { name: 'QR code' }).waitFor();
    const secret = await form.getByRole('status', { name: 'Key' }).innerText();
    await submit(form, 'Turn on', { 'Code from the app': '000 000' });
    await form.getByText('This was not accepted').waitFor();
    const [first, second] = await nextCodes(secret);
    await submit(form, 'Turn on', { 'Code from the app': first });
    await page.getByRole('button', { name: 'Copy codes' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('10 of 10 left').waitFor();
    await confirm(page, 'New codes');
    const [code = ''] = (await copied(page, 'Copy codes')).split('\n');
    await page.getByRole('button', { name: 'Close' }).click();

    await signOut(page);
    await logIn(page, owner);
    await submit(page, 'Sign in', { Code: second });
    await overviewOf(page);
    await signOut(page);
    await logIn(page, owner);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await submit(page, 'Sign in', { 'Recovery code': code });
    await overviewOf(page);
    await page.getByRole('link', { name: 'Security' }).click();
    await page.getByText('9 of 10 left').waitFor();
  });

  it('are required of everyone by the owner, who sees who is not ready; a member then sets one up first', async () => {
    const { service } = tested;
    const member = await service.addMember(owner, 'viewer');
    const { secret } = (await service.post('/auth/factors/totp', {}, owner)).body;
    const page = await tested.openAs(owner, '/account/security');
    await page.getByText('set up your own first').waitFor();
    const [code, second] = await nextCodes(String(secret));
    await service.post('/auth/factors/totp/confirm', { code }, owner);
    // The first factor has ended this session.
    await page.reload();
    await logIn(page, owner);
    await submit(page, 'Sign in', { Code: second });
    const dialog = await openDialog(page, 'Require a second factor');
    await dialog.getByText(member.email).waitFor();
    await submit(dialog, 'Require a second factor');
    await page.getByText('Second factors are now required').waitFor();

    const other = await tested.openAs(member, '/licenses');
    await other.waitForURL('**/account/security');
    await other.getByText('The rest of the console opens then').waitFor();
    const form = await openDialog(other, 'Set up app');
    const key = await form.getByRole('status', { name: 'Key' }).innerText();
    await submit(form, 'Turn on', { 'Code from the app': generateSync({ secret: key }) });
    await other.getByRole('button', { name: 'Close' }).click();
    await other.getByRole('link', { name: 'Licenses' }).click();
    await other.getByText('No licenses yet').waitFor();
  });
});

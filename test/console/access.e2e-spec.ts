import type { Page } from 'playwright-core';
import { addMember } from '../e2e/access/member.js';
import { createLicense, type Developer, PASSWORD } from '../e2e/developer.js';
import { describeConsole } from './console-under-test.js';

const SYSTEM = { type: 'system', id: null, name: null };

describeConsole('Access in the console', (tested) => {
  let owner: Developer;
  beforeEach(async () => {
    owner = await tested.register();
  });

  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

  /** Invites somebody, and returns the link that the console shows. */
  const invite = async (page: Page, email: string, role: string) => {
    await page.getByRole('button', { name: 'Invite member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByLabel('Role').selectOption(role);
    await dialog.getByRole('button', { name: 'Invite member' }).click();
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await dialog.getByText('Copied').waitFor();
    const link = await copied(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(link);
    return link;
  };

  it('lets somebody who was invited join in another browser, with the role of the invitation until it is changed', async () => {
    const license = await createLicense(tested.service, owner);
    const email = `grace-${owner._id}@studio.example`;
    const page = await tested.openAs(owner, '/account/team');
    const link = await invite(page, email, 'Viewer');
    const { origin, pathname, hash } = new URL(link);
    expect(origin + pathname).toBe(`${tested.url}/join`);
    expect(hash).toMatch(/^#[\w-]{43}$/);

    const other = await tested.open(`/join${hash}`);
    await other.getByLabel('Name').fill('Grace Hopper');
    await other.getByLabel('Password').fill(PASSWORD);
    await other.getByRole('button', { name: 'Join' }).click();
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(tested.service.stdout).not.toContain(hash.slice(1));

    await other.goto(`${tested.url}/licenses/${license._id}`);
    const key = other.getByRole('status', { name: 'License key' });
    expect(await key.innerText()).toBe(`•••• ${license.key.slice(-4)}`);
    const writes = 'button:not(header button, [data-copied])';
    expect(await other.locator(`main ${writes}`).count()).toBe(0);
    expect(await other.getByRole('button', { name: 'Copy key' }).count()).toBe(0);
    await other.getByRole('link', { name: 'Account' }).click();
    await other.getByRole('region', { name: 'You' }).getByText('Viewer').waitFor();
    expect(await other.getByRole('link', { name: 'Team' }).count()).toBe(0);

    const row = page.getByRole('row', { name: email });
    await page.reload();
    await row.getByText('Active').waitFor();
    await row.getByRole('button', { name: 'Actions of Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: 'Change role' }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('Support');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await row.getByText('Support', { exact: true }).waitFor();
    await other.goto(`${tested.url}/licenses/${license._id}`);
    await other.getByRole('button', { name: 'More' }).click();
    await other.getByRole('menuitem', { name: 'Suspend' }).waitFor();
    await other.keyboard.press('Escape');
    await other.getByRole('button', { name: 'Show key' }).click();
    await other.getByText(license.key, { exact: true }).waitFor();
    expect(await other.getByText('Certificate for a machine').count()).toBe(0);

    await row.getByRole('button', { name: 'Actions of Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    await other.reload();
    await other.getByRole('button', { name: 'Log in' }).waitFor();
    const used = await tested.open(`/join${hash}`);
    await used.getByLabel('Name').fill('Eve');
    await used.getByLabel('Password').fill(PASSWORD);
    await used.getByRole('button', { name: 'Join' }).click();
    await used.getByRole('alert').getByText('Invitation').waitFor();
  });

  it('asks for a logout before somebody who is logged in joins with another login', async () => {
    const page = await tested.openAs(owner, '/account/team');
    const link = await invite(page, `alan-${owner._id}@studio.example`, 'Admin');
    await page.goto(link);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Name').fill('Alan Turing');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${tested.url}/account`);
    const you = page.getByRole('region', { name: 'You' });
    await you.getByText('Alan Turing').waitFor();
    await you.getByText('Admin', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Signing keys' }).click();
    await page.getByRole('heading', { name: 'Signing keys' }).waitFor();
    await page.getByRole('button', { name: 'Copy keys' }).waitFor();
    expect(await page.getByRole('button', { name: 'Rotate keys' }).count()).toBe(0);
  });

  it('creates an API key whose secret is shown once, and calls the API until it is deleted', async () => {
    const page = await tested.openAs(owner, '/account/api-keys');
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name').fill('Checkout of the web shop');
    await page.getByRole('button', { name: 'Create' }).click();
    const firstScope = page.getByRole('checkbox', { name: 'clients:read' });
    expect(await firstScope.evaluate((box: HTMLInputElement) => box.validationMessage)).toBe(
      'Choose at least one scope',
    );
    await firstScope.check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Copy secret' }).click();
    await page.getByText('Copied').waitFor();
    const secret = await copied(page);
    expect(secret).toMatch(/^lms_[\w-]{49}$/);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText(`lms_…${secret.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(secret);

    const call = async (path: string) =>
      (await fetch(tested.service.url + path, { headers: { Authorization: `Bearer ${secret}` } }))
        .status;
    expect(await call('/clients')).toBe(200);
    expect(await call('/licenses')).toBe(403);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No API keys yet').waitFor();
    expect(await call('/clients')).toBe(401);
    expect(tested.service.stdout).not.toContain(secret);
  });

  it('ends the session of another browser, and all others at once, which are logged out', async () => {
    const options = { userAgent: 'Second browser' };
    const [page, second, third] = await Promise.all([
      tested.openAs(owner, '/account'),
      tested.openAs(owner, '/clients', options),
      tested.openAs(owner, '/clients', { userAgent: 'Third browser' }),
    ]);
    await Promise.all([second, third].map((other) => other.getByText('No clients yet').waitFor()));
    await page.reload();
    const row = page.getByRole('row', { name: 'Second browser' });
    await row.getByText('127.0.0.1').waitFor();
    await row.getByRole('button', { name: 'End' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    await row.waitFor({ state: 'detached' });
    await second.getByRole('link', { name: 'Licenses' }).click();
    await second.getByRole('button', { name: 'Log in' }).waitFor();
    await third.getByRole('link', { name: 'Licenses' }).click();
    await third.getByText('No licenses yet').waitFor();

    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByText('All other sessions ended successfully').waitFor();
    await third.getByRole('link', { name: 'Plans' }).click();
    await third.getByRole('button', { name: 'Log in' }).waitFor();
    await page.getByRole('row', { name: 'This session' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(1 + 1);
  });

  it('finds in the events who has revoked a license, and everything else that this member has done', async () => {
    const license = await createLicense(tested.service, owner);
    const support = await addMember(tested.service, owner, 'support');
    const reason = 'Charged back';
    await tested.service.post(`/licenses/${license._id}/revoke`, { reason }, support);

    const page = await tested.openAs(owner, '/events');
    const created = page.getByRole('cell', { name: 'Project created' });
    await created.waitFor();
    await page.getByLabel('Type').selectOption('License revoked');
    await created.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?type=license.revoked');
    const rows = page.getByRole('table').getByRole('row');
    expect(await rows.count()).toBe(1 + 1);
    const row = page.getByRole('row', { name: reason });
    await row.getByRole('link', { name: 'Grace' }).click();
    await page.getByRole('row', { name: 'Member joined' }).waitFor();
    expect(new URL(page.url()).search).toBe(`?actor=${support._id}`);
    await row.getByRole('link', { name: `•••• ${license.key.slice(-4)}` }).click();
    await page.getByRole('heading', { name: 'License of Web shop' }).waitFor();
    await page.getByText('By Grace').waitFor();
  });

  it('says in the events what a change has changed, in words', async () => {
    const license = await createLicense(tested.service, owner);
    await tested.service.post(`/licenses/${license._id}/suspend`, {}, owner);
    const page = await tested.openAs(owner, '/events');
    await page.getByRole('cell', { name: 'Status: Pending → Suspended' }).waitFor();
  });

  it('names a member once in the events about the own login, and the kind whose events are listed', async () => {
    const page = await tested.openAs(owner, '/events?type=account.*');
    const row = page.getByRole('row', { name: 'Logged in' }).first();
    await row.waitFor();
    expect(await row.getByText('Ada', { exact: true }).count()).toBe(1);
    const shown = await page.getByLabel('Type').locator('option:checked').innerText();
    expect(shown).toBe('All account events');
  });

  it('says in the events that nobody is known to have caused a failed login', async () => {
    const page = await tested.openAs(owner);
    // The service writes the event in the background.
    const isList = ({ pathname }: URL) => pathname === '/events';
    await page.route(isList, async (route) => {
      const response = await route.fetch();
      const { data, nextCursor } = await response.json();
      const event = { ...data[0], type: 'account.login_failed', actor: SYSTEM };
      await route.fulfill({ json: { data: [event], nextCursor } });
    });
    await page.goto(`${tested.url}/events?type=account.*`);
    const row = page.getByRole('row', { name: 'Login failed' });
    await row.getByText('Somebody unknown').waitFor();
  });

  it('reads the events page by page', async () => {
    for (let number = 0; number < 21; number += 1) {
      await tested.service.post(
        '/clients',
        { name: `Client ${number}`, email: `${number}@${owner._id}.example` },
        owner,
      );
    }
    const page = await tested.openAs(owner, '/events?type=client.*');
    await page.getByRole('link', { name: 'Client 20' }).waitFor();
    expect(await page.getByRole('link', { name: 'Client 0', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: 'Client 0', exact: true }).waitFor();
  });
});

import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import {
  chooseAction,
  copied,
  handleNext,
  logIn,
  openDialog,
  submit,
  unavailable,
} from '../steps.js';

const NEW_PASSWORD = 'nine loud kettles whistle';
/** JSON web tokens start like this. */
const TOKEN = /eyJ/;
const KEY = /LIC-[0-9a-f]{24}(-[0-9A-Z]{4}){3}/i;

const SYSTEM = { type: 'system', id: null, name: null };

describeConsole('An account in the console', (tested) => {
  const owner = tested.useDeveloper();

  it('changes its password and keeps its session', async () => {
    const page = await tested.openAs(owner, '/account');
    const fields = { 'Current password': 'not my password', 'New password': NEW_PASSWORD };
    await submit(page, 'Change password', fields);
    await page.getByText("This isn't your current password.").waitFor();
    await submit(page, 'Change password', { 'Current password': PASSWORD });
    await page.getByText('Password changed').waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('');
    await page.reload();
    await page.getByText(owner.email).waitFor();

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await logIn(page, owner);
    await page.getByText('Wrong email or password.').waitFor();
    await logIn(page, owner, NEW_PASSWORD);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('rotates its signing keys and says which apps keep working', async () => {
    const page = await tested.openAs(owner, '/account/signing-keys');
    const keys = async () => (await tested.service.get('/signing-keys', owner)).body;
    const { issuer, current, next } = await keys();
    expect(JSON.parse(await copied(page, 'Copy keys'))).toEqual({ issuer, current, next });

    const dialog = await openDialog(page, 'Rotate keys');
    await dialog.getByText("can't be undone").waitFor();
    await submit(dialog, 'Rotate keys', { Password: PASSWORD });
    await page.getByText('Builds that contain the key').waitFor();
    const rotated = await keys();
    expect(rotated.current).toEqual(next);
    await page.getByText(`"kid": "${rotated.next.kid}"`).first().waitFor();
  });

  it('opens the license of a new project, which shows its activation without a reload, on pages without a token, and without the key until it is copied', async () => {
    const client = await tested.service.createClient(owner);
    const page = await tested.openAs(owner, `/clients/${client._id}`);
    await page.clock.install();
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('checkbox', { name: 'Hosting' }).check();
    await page.getByLabel('Term', { exact: true }).selectOption('6 months');
    await submit(page, 'Create', { 'Project name': 'Web shop' });
    await page.getByRole('heading', { name: 'Web shop license' }).waitFor();

    const held = await everythingThatPageHolds(page);
    expect(held).not.toMatch(KEY);
    expect(held).not.toMatch(TOKEN);
    const key = await copied(page, 'Copy key');
    expect(key).toMatch(KEY);
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Show key' }).click();
    await page.getByText(key).waitFor();

    await tested.service.activate({ key });
    await page.clock.runFor(5000);
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByText('Your app · Machine').waitFor();
  });

  it('lets an invited member join, after signing out another user, with the invited role until it changes', async () => {
    const email = `grace-${owner._id}@studio.example`;
    const { invitation } = (await tested.service.invite(owner, 'viewer', email)).body;
    const other = await tested.openAs(await tested.service.register(), `/join#${invitation}`);
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await submit(other, 'Join', { Name: 'Grace Hopper', Password: PASSWORD });
    await other.getByText('Latest events').waitFor();
    expect(await other.getByText('Get started').count()).toBe(0);
    await other.getByRole('link', { name: 'Licenses' }).click();
    await other.getByText('No licenses yet').waitFor();
    expect(await other.getByText('Choose a customer, a project').count()).toBe(0);
    await other.getByRole('link', { name: 'Integrate' }).first().click();
    await other.getByText('so this uses an example').waitFor();
    expect(await other.getByRole('link', { name: 'Give a project a product' }).count()).toBe(0);

    const license = await tested.service.createLicense(owner);
    await other.goto(`${tested.url}/licenses/${license._id}`);
    const key = other.getByRole('status', { name: 'License key' });
    expect(await key.innerText()).toBe(`•••• ${license.key.slice(-4)}`);
    const writes = 'button:not(header button, [data-copied])';
    expect(await other.locator(`main ${writes}`).count()).toBe(0);
    expect(await other.getByRole('button', { name: 'Copy key' }).count()).toBe(0);
    await other.getByRole('link', { name: 'Account' }).click();
    await other.getByRole('region', { name: 'You' }).getByText('Viewer').waitFor();
    expect(await other.getByRole('link', { name: /^(Team|Webhooks)$/ }).count()).toBe(0);
    await other.getByRole('link', { name: 'Signing keys' }).click();
    await other.getByRole('button', { name: 'Copy keys' }).waitFor();
    expect(await other.getByRole('button', { name: 'Rotate keys' }).count()).toBe(0);

    const page = await tested.openAs(owner, '/account/team');
    const row = page.getByRole('row', { name: email });
    const dialog = page.getByRole('dialog');
    await row.getByText('Active').waitFor();
    await chooseAction(page, 'Change role', 'Actions for Grace');
    await dialog.getByLabel('Role').selectOption('Support');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Support', { exact: true }).waitFor();
    await other.goto(`${tested.url}/licenses/${license._id}`);
    await other.getByRole('button', { name: 'More' }).click();
    await other.getByRole('menuitem', { name: 'Suspend' }).waitFor();
    await other.keyboard.press('Escape');
    await other.getByRole('button', { name: 'Show key' }).click();
    await other.getByText(license.key, { exact: true }).waitFor();
    expect(await other.getByText('Offline activation').count()).toBe(0);

    await chooseAction(page, 'Remove', 'Actions for Grace');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    await page.goto(`${tested.url}/events?type=member.removed`);
    await row.getByText(email).waitFor();
    expect(await row.getByRole('link', { name: email }).count()).toBe(0);
    await other.reload();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.goto(`${tested.url}/join#${invitation}`);
    await submit(other, 'Join', { Name: 'Eve', Password: PASSWORD });
    await other.getByRole('alert').getByText('invitation').waitFor();
  });

  it('lists events page by page, describes changes in words, names a member only once for signing in, and nobody for a failed attempt', async () => {
    const license = await tested.service.createLicense(owner);
    await tested.service.post(`/licenses/${license._id}/suspend`, {}, owner);
    for (let client = 0; client < 20; client += 1) await tested.service.createClient(owner);
    const page = await tested.openAs(owner, '/events');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('cell', { name: 'Status: Pending → Suspended' }).waitFor();
    await page.getByLabel('By', { exact: true }).selectOption('Ada');
    await page.waitForURL(`**/events?actor=${owner._id}`);

    const ofLogins = `${tested.url}/events?type=account.*`;
    await page.goto(ofLogins);
    const login = page.getByRole('row', { name: 'Signed in' }).first();
    await login.waitFor();
    expect(await login.getByText('Ada', { exact: true }).count()).toBe(1);
    const shown = await page.getByLabel('Type').locator('option:checked').innerText();
    expect(shown).toBe('All account events');

    // The service writes the event in the background.
    const isList = ({ pathname }: URL) => pathname === '/events';
    await page.route(isList, async (route) => {
      const response = await route.fetch();
      const { data, nextCursor } = await response.json();
      const event = { ...data[0], type: 'account.login_failed', actor: SYSTEM };
      await route.fulfill({ json: { data: [event], nextCursor } });
    });
    await page.goto(ofLogins);
    const failed = page.getByRole('row', { name: 'Sign-in failed' });
    await failed.getByText('Unknown user').waitFor();
  });
});

describeConsole('The console for the first account of a service', (tested) => {
  /** Starts a service without any account. */
  beforeEach(async () => {
    await tested.service.end('SIGKILL');
    const DATA_DIR = tested.path(randomUUID());
    await tested.startService({ REGISTRATION: 'first', SERVICES: 'none', DATA_DIR });
  });
  afterAll(async () => {
    await tested.service.end('SIGKILL');
    await tested.startService();
  });

  const register = async (page: Page, email = 'ada@studio.example') => {
    await submit(page, 'Create account', { Name: 'Ada', Email: email, Password: PASSWORD });
  };

  it('signs the first account in, even if the response to its registration was lost and signing in fails at first, and is then closed to everyone else', async () => {
    const stranger = await tested.open('/register');
    await stranger.getByLabel('Name').waitFor();
    const page = await tested.open();
    await page.getByRole('heading', { name: 'Create your account' }).waitFor();
    await handleNext(page, '**/auth/register', async (route) => {
      expect((await route.fetch()).status()).toBe(201);
      await route.abort();
    });
    await handleNext(page, '**/console/session', (route) => route.fulfill(unavailable(1)));
    await register(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await register(stranger, 'stranger@example.com');
    await stranger.getByRole('alert').getByText('Registration is closed').waitFor();
  });

  it('stops a waiting write on request, and keeps its form after the submitted account has closed the registration', async () => {
    const page = await tested.open('/register');
    await page.clock.install();
    await handleNext(page, '**/auth/register', async (route) => {
      expect((await route.fetch()).status()).toBe(201);
      await route.fulfill(unavailable(60, 'STORE_UNAVAILABLE'));
    });
    await register(page);
    await page.getByText('Retrying in 60 s').waitFor();
    await page.clock.runFor(3000);
    const closed = page.waitForResponse('**/auth/registration');
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    expect(await (await closed).json()).toEqual({
      ...{ open: false, firstAccount: false, passkeys: false, passwordReset: false },
    });
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await page.getByText('may have gone through').waitFor();
    // It is no longer retried; a retry would sign the account in.
    await page.clock.runFor(61_000);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('issues a license without services if the operator has turned them off, and shows none', async () => {
    const first = await tested.service.register();
    const page = await tested.openAs(first, '/licenses');
    await page.getByText('No licenses yet').waitFor();
    await page.getByRole('button', { name: 'New license' }).last().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Customer' }).fill('Globex');
    await submit(dialog, 'Create', { Email: 'office@globex.example' });
    await dialog.getByRole('link', { name: 'Open the license' }).click();
    await page.getByRole('heading', { name: 'General license' }).waitFor();
    expect(await page.getByText('Services').count()).toBe(0);
  });
});

/** The document with its title, the address with its state, and everything that the browser stores for the page. */
async function everythingThatPageHolds(page: Page): Promise<string> {
  const { origins } = await page.context().storageState();
  const own = await page.evaluate(() => [{ ...sessionStorage }, history.state, document.title]);
  return JSON.stringify([await page.content(), page.url(), own, origins]);
}

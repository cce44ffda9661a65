import { PASSWORD } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import { submit } from '../steps.js';

const SYSTEM = { type: 'system', id: null, name: null };

describeConsole('Access in the console', (tested) => {
  const owner = tested.useDeveloper();

  it('lets somebody who was invited join, after a logout where another login has a session, with the role of the invitation until it is changed', async () => {
    const license = await tested.service.createLicense(owner);
    const email = `grace-${owner._id}@studio.example`;
    const { invitation } = (await tested.service.invite(owner, 'viewer', email)).body;
    const other = await tested.openAs(await tested.service.register(), `/join#${invitation}`);
    await other.getByRole('button', { name: 'Log out' }).click();
    await submit(other, 'Join', { Name: 'Grace Hopper', Password: PASSWORD });
    await other.getByRole('heading', { name: 'Overview' }).waitFor();

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
    const choose = async (action: string) => {
      await row.getByRole('button', { name: 'Actions of Grace Hopper' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await row.getByText('Active').waitFor();
    await choose('Change role');
    await dialog.getByLabel('Role').selectOption('Support');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Support', { exact: true }).waitFor();
    await other.goto(`${tested.url}/licenses/${license._id}`);
    await other.getByRole('button', { name: 'More' }).click();
    await other.getByRole('menuitem', { name: 'Suspend' }).waitFor();
    await other.keyboard.press('Escape');
    await other.getByRole('button', { name: 'Show key' }).click();
    await other.getByText(license.key, { exact: true }).waitFor();
    expect(await other.getByText('Certificate for a machine').count()).toBe(0);

    await choose('Remove');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    await other.reload();
    await other.getByRole('button', { name: 'Log in' }).waitFor();
    await other.goto(`${tested.url}/join#${invitation}`);
    await submit(other, 'Join', { Name: 'Eve', Password: PASSWORD });
    await other.getByRole('alert').getByText('Invitation').waitFor();
  });

  it('says in the events, page by page, what has changed, in words, names a member once for the own login, and nobody for one that failed', async () => {
    const license = await tested.service.createLicense(owner);
    await tested.service.post(`/licenses/${license._id}/suspend`, {}, owner);
    for (let client = 0; client < 20; client += 1) await tested.service.createClient(owner);
    const page = await tested.openAs(owner, '/events');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('cell', { name: 'Status: Pending → Suspended' }).waitFor();

    const ofLogins = `${tested.url}/events?type=account.*`;
    await page.goto(ofLogins);
    const login = page.getByRole('row', { name: 'Logged in' }).first();
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
    const failed = page.getByRole('row', { name: 'Login failed' });
    await failed.getByText('Somebody unknown').waitFor();
  });
});

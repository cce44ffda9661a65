import type { Page } from 'playwright-core';
import type { ConsoleUnderTest } from './console-under-test.js';
import { addRecords, type Names } from './records.js';
import { stepsOn } from './steps.js';

/** The summary of an account without licenses. */
const NO_LICENSES = {
  licensesByStatus: { PENDING: 0, ACTIVE: 0, EXPIRED: 0, SUSPENDED: 0, REVOKED: 0 },
  activationsPerDay: [],
  expiringWithin7Days: 0,
  expiringWithin30Days: 0,
};

/** The records of an account whose pages have something to show, with a member who changes nothing. */
export type Shown = Awaited<ReturnType<typeof createShown>>;

export async function createShown({ service }: ConsoleUnderTest, names: Names) {
  const developer = await service.register();
  const terms = { product: 'com.example.web-shop', entitlements: ['team'] };
  const records = await addRecords(service, developer, names, { terms });
  await service.addLicense(developer, records.project);
  return { ...records, developer, names };
}

/** Shows the pages and dialogs of clients, licenses and the account, one after the other, and yields the name of each. */
export async function* tour(tested: ConsoleUnderTest, page: Page, shown: Shown) {
  const { names, client, active, revoked } = shown;
  const { go, visit, openDialog, closeDialog, dialogs, menuDialogs, submit, respond } = stepsOn(
    tested,
    page,
  );
  const ofLicense = ` · ${names.client} · ${names.project}`;

  yield* visit('log-in', '/clients', 'Log in to go on where you were.');
  yield* visit('create-account', '/register', '12 to 128 characters');
  await respond('**/auth/registration', { json: { open: false } });
  yield* visit('closed-registration', '/register', 'Registration is closed');
  await page.unrouteAll();
  await tested.logIn(page, shown.developer);

  await respond('**/dashboard/summary*', { json: NO_LICENSES });
  await respond('**/clients', { json: { data: [], nextCursor: null } });
  yield* visit('empty-overview', '', 'What comes first');
  await page.unrouteAll();
  await go('', 'Latest events');
  await page.getByText('Show as a table').click();
  yield 'overview';
  yield* visit('clients', '/clients', names.client);
  await openDialog('New client');
  yield 'new-client';
  yield* visit('client', `/clients/${client}`, names.project);
  yield* dialogs(names.client, ['New project', 'Edit client', 'Delete client']);
  yield* dialogs(names.project, ['Edit project', 'New license', 'Delete project']);
  yield* visit('licenses', '/licenses', names.project);
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
  await page
    .getByRole('button', { name: /^Actions of/ })
    .first()
    .click();
  await page.getByRole('menu').waitFor();
  yield 'license-menu';
  await page.keyboard.press('Escape');
  yield* dialogs('Renew', ['Renew'], '-several');
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill(names.client.slice(0, 4));
  await page.getByRole('option', { name: names.client }).waitFor();
  yield 'search';
  await closeDialog();
  yield* visit(
    'no-license-matches',
    `/licenses?clientId=${client}&expiresBefore=2020-01-01`,
    'No license matches',
  );
  await go(`/licenses/${active}`, 'It came from another machine');
  await page.getByRole('button', { name: 'Show key' }).click();
  await page.getByLabel('License key', { exact: true }).last().waitFor();
  await page.getByText('Certificate for a machine').click();
  yield 'license';
  yield* dialogs(ofLicense, ['Renew']);
  const more = page.getByRole('button', { name: 'More', exact: true });
  yield* menuDialogs(ofLicense, more, ['Revoke', 'Suspend', 'Reissue']);
  await openDialog(/^Release/, ofLicense);
  yield 'release-machine';
  yield* visit('plans', '/plans', names.project);
  yield* dialogs('', ['New plan']);
  await openDialog(`Delete ${names.project}`, names.project);
  yield 'delete-plan';
  yield* visit('revoked-license', `/licenses/${revoked}`, names.reason);
  yield* visit('account', '/account', 'Account since');
  yield* visit('error', `/clients/${'0'.repeat(24)}`, 'This client does not exist');
  yield* visit('not-found', '/nowhere', 'This page does not exist');
  await go(`/licenses/${active}`, 'It came from another machine');
  await more.click();
  await page.getByRole('menuitem', { name: 'Reissue' }).click();
  await submit('Reissue');
  await page.getByText('Open the new license').waitFor();
  yield 'reissued-license';
}

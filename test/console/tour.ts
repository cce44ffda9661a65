import type { Page } from 'playwright-core';
import type { ConsoleUnderTest } from './console-under-test.js';
import { addRecords, type Names } from './records.js';
import { stepsOn } from './steps.js';

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
  const { go, visit, openDialog, closeDialog, dialogs } = stepsOn(tested, page);
  const ofLicense = ` · ${names.client} · ${names.project}`;

  yield* visit('log-in', '/clients', 'Log in to go on where you were.');
  yield* visit('create-account', '/register', '12 to 128 characters');
  await tested.logIn(page, await tested.service.register());
  yield* visit('empty-overview', '', 'What comes first');
  await tested.logIn(page, shown.developer);
  await go('', 'Latest events');
  await page.getByText('Show as a table').click();
  yield 'overview';
  yield* visit('clients', '/clients', names.client);
  yield* dialogs('', ['New client']);
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
  yield* dialogs('Renew', ['Renew'], { of: '-several' });
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill(names.client.slice(0, 4));
  await page.getByRole('option', { name: names.client }).waitFor();
  yield 'search';
  await closeDialog();
  await go(`/licenses/${active}`, 'It came from another machine');
  await page.getByRole('button', { name: 'Show key' }).click();
  await page.getByLabel('License key', { exact: true }).last().waitFor();
  await page.getByText('Certificate for a machine').click();
  yield 'license';
  yield* dialogs(ofLicense, ['Renew']);
  const menu = page.getByRole('button', { name: 'More', exact: true });
  yield* dialogs(ofLicense, ['Revoke', 'Suspend', 'Reissue'], { menu });
  await openDialog(/^Release/, ofLicense);
  yield 'release-machine';
  yield* visit('plans', '/plans', names.project);
  yield* dialogs('', ['New plan']);
  yield* dialogs(names.project, [`Delete ${names.project}`]);
  yield* visit('revoked-license', `/licenses/${revoked}`, names.reason);
  yield* visit('account', '/account', 'Account since');
  yield* visit('error', `/clients/${'0'.repeat(24)}`, 'This client does not exist');
  yield* visit('not-found', '/nowhere', 'This page does not exist');
}

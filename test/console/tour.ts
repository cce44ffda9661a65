import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import type { Locator, Page } from 'playwright-core';
import type { ConsoleUnderTest } from './console-under-test.js';
import { DELIVERIES, detailsOf, type Shown } from './records.js';
import { logIn, submit, unavailable } from './steps.js';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1024/hooks/licenses';

/** Shows the pages and dialogs of clients, licenses and the account, one after the other, and yields the name of each. */
export async function* tour(tested: ConsoleUnderTest, page: Page, shown: Shown) {
  const { texts, client, active, revoked } = shown;
  const { go, visit, openDialog, closeDialog, dialogs } = stepsOn(tested, page);
  const ofLicense = ` · ${texts.client} · `;

  const inAddress = encodeURIComponent(texts.reason.slice(0, 60));
  yield* visit('log-in', `/login?from=/${inAddress}`, 'Sign in to continue.');
  yield* visit('create-account', '/register', 'At least 12 characters');
  await tested.logIn(page, await tested.service.register());
  yield* visit('empty-overview', '', 'Get started');
  await tested.logIn(page, shown.developer);
  await go('', 'Latest events');
  await page.getByText('Show as table').click();
  yield 'overview';
  yield* visit('clients', '/clients', texts.client);
  yield* dialogs('', ['New customer']);
  yield* visit('no-client-matches', `/clients?search=${inAddress}`, 'No customers match');
  yield* visit('client', `/clients/${client}`, texts.project);
  yield* dialogs(texts.client, ['New project', 'Edit customer']);
  const moreOfClient = page.getByRole('button', { name: 'More', exact: true });
  yield* dialogs(texts.client, ['Portal link', 'Personal data', 'Delete customer'], moreOfClient);
  yield* dialogs(texts.project, ['Edit project', 'New license', 'Delete project']);
  yield* visit('licenses', '/licenses', texts.project);
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page
    .getByLabel(/^Actions for/)
    .first()
    .click();
  await page.getByRole('menu').waitFor();
  yield 'license-menu';
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Entitlements' }).click();
  await page.getByRole('columnheader', { name: 'Entitlements' }).waitFor();
  yield 'license-columns';
  await page.keyboard.press('Escape');
  yield* dialogs('Renew', ['Renew']);
  await page.getByRole('button', { name: 'Filters' }).click();
  yield 'license-filters';
  await page.getByRole('searchbox').fill(texts.client.slice(0, 4));
  await page.getByText('Customer ·').waitFor();
  yield 'license-search';
  await go('/licenses/import', 'Up to 5 MB');
  const cell = `"${texts.reason.replaceAll('"', '""')}"`;
  const buffer = Buffer.from(`id;License key;email;expires\n${cell};${cell};${cell};2030-12-31`);
  await page
    .getByLabel('CSV file')
    .last()
    .setInputFiles({ name: 'all.csv', mimeType: 'text/csv', buffer });
  await page.getByLabel('Project for rows that have none').fill(texts.project);
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('Rejected').first().waitFor();
  yield 'import';
  await go('/licenses', texts.project);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('searchbox').fill(texts.client.slice(0, 4));
  await page.getByRole('option', { name: texts.client }).waitFor();
  yield 'search';
  await closeDialog();
  await go(`/licenses/${active}`, 'All seats were in use');
  await page.getByRole('button', { name: 'Show key' }).click();
  await page.getByLabel('License key', { exact: true }).last().waitFor();
  await page.getByText('Offline activation').click();
  yield 'license';
  yield* dialogs(ofLicense, ['Renew', 'Edit']);
  const menu = page.getByRole('button', { name: 'More', exact: true });
  yield* dialogs(ofLicense, ['Revoke', 'Suspend', 'Reissue'], menu);
  await openDialog(/^Release/, ofLicense);
  yield 'release-machine';
  const search = `/licenses/${active}?search=${inAddress}`;
  yield* visit('no-machine-matches', search, 'No machines match');
  yield* visit('plans', '/plans', texts.project);
  yield* dialogs('', ['New plan']);
  const ofPlan = page.getByRole('button', { name: /^Actions for/ });
  yield* dialogs(texts.project, ['Edit', 'Delete'], ofPlan);
  yield* visit('revoked-license', `/licenses/${revoked}`, texts.reason);
  for (const [name, status, text] of [
    ['waiting-list', 503, 'Retrying in'],
    ['failed-list', 500, 'The service failed'],
  ] as const) {
    const response = { ...unavailable(60, status === 500 ? 'INTERNAL_ERROR' : undefined), status };
    await page.route(/:\d+\/plans/, (route) => route.fulfill(response));
    yield* visit(name, '/plans', text);
  }
  await page.unrouteAll();
  yield* visit('deleted', '/account/deleted', texts.client);
  yield* visit('error', `/clients/${'0'.repeat(24)}`, "This customer doesn't exist");
  await go('/clients/nobody', "This page doesn't exist");
  yield* visit('not-found', '/nowhere', "This page doesn't exist");
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  yield 'shortcuts';
}

/** Shows the pages and dialogs of members, sessions, API keys and events, and what a viewer sees. */
export async function* accessTour(tested: ConsoleUnderTest, page: Page, shown: Shown) {
  const { texts, active } = shown;
  const { go, visit, openDialog, dialogs } = stepsOn(tested, page);

  yield* visit('join', '/join#' + randomUUID(), 'This link works once');
  yield* visit('incomplete-invitation', '/join', 'The link is incomplete');
  yield* visit('forgot-password', '/forgot-password', 'Send link');
  yield* visit('reset-password', '/reset-password#' + randomUUID(), 'signs you out');
  yield* visit('confirm-email', '/confirm-email#' + randomUUID(), 'Press the button');
  await tested.logIn(page, shown.developer);
  yield* visit('team', '/account/team', 'Invited');
  const menuOf = (row: string) => page.getByRole('row', { name: row }).getByRole('button');
  yield* dialogs(`@${texts.domain}`, ['New link', 'Withdraw'], menuOf('Invited'));
  yield* dialogs(texts.client, ['Change role'], menuOf(texts.client));
  yield* dialogs('', ['Invite member']);
  yield* visit('api-keys', '/account/api-keys', texts.project);
  yield* dialogs('', ['New API key']);
  yield* dialogs(texts.project, [`Delete ${texts.project}`]);
  yield* visit('events', '/events', texts.reason);
  const offered = { open: true, firstAccount: false, passkeys: true, passwordReset: true };
  await page.route('**/auth/registration', (route) => route.fulfill({ json: offered }));
  const passkey = {
    _id: '0'.repeat(24),
    name: texts.project,
    createdAt: new Date(),
    lastUsedAt: null,
  };
  const json = {
    passkeys: [passkey],
    totp: { enabled: false, createdAt: null },
    recoveryCodesLeft: 9,
  };
  await page.route('**/auth/factors', (route) => route.fulfill({ json }));
  yield* visit('passkeys', '/account/security', texts.project);
  yield* dialogs('', ['Add passkey']);
  yield* visit('account', '/account', 'Send link');
  await page.unrouteAll();
  await go('/account/security', 'Set up app');
  yield* dialogs('', ['Set up app']);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Set up app' }).click();
  const secret = await dialog.getByRole('status', { name: 'Key' }).innerText();
  await submit(dialog, 'Turn on', { 'Code from the app': generateSync({ secret }) });
  await dialog.getByRole('button', { name: 'Copy codes' }).waitFor();
  yield 'recovery-codes';
  await submit(dialog, 'Close');
  yield* dialogs('', ['New codes', 'Require a second factor', /^Remove Auth/]);
  yield 'security-with-app';
  const due = { message: '', code: 'STEP_UP_REQUIRED', factors: ['passkey', 'totp'] };
  await page.route('**/recovery-codes', (route) => route.fulfill({ status: 403, json: due }));
  await openDialog('New codes');
  await submit(dialog, 'New codes');
  await page.getByRole('button', { name: 'Use your authenticator app' }).click();
  yield 'confirmation';
  await page.unrouteAll();
  await page.context().clearCookies();
  await go('/login', 'New here?');
  await logIn(page, shown.developer);
  await page.getByRole('button', { name: 'Use a recovery code' }).waitFor();
  yield 'second-step';
  await tested.logIn(page, shown.viewer);
  yield* visit('join-logged-in', `/join#${randomUUID()}`, "You're signed in");
  await tested.logIn(page, shown.viewer);
  yield* visit('license-of-viewer', `/licenses/${active}`, 'All seats were in use');
  yield* visit('team-of-viewer', '/account/team', "You don't have access");
}

/** Shows the pages and dialogs of webhooks, signing keys and programs. */
export async function* integrationTour(tested: ConsoleUnderTest, page: Page, shown: Shown) {
  const { texts, developer } = shown;
  const { visit, openDialog, dialogs } = stepsOn(tested, page);

  await tested.logIn(page, await tested.service.register());
  yield* visit('no-product', '/integrate?language=rust', 'You have no product yet');
  await tested.logIn(page, developer);
  yield* visit('no-webhooks', '/account/webhooks', 'No webhooks yet');
  const dialog = page.getByRole('dialog');
  await openDialog('New webhook');
  await page.getByRole('checkbox', { name: 'All events' }).uncheck();
  await dialog.getByText('Licenses', { exact: true }).click();
  yield 'new-webhook';
  await page.getByRole('checkbox', { name: 'License activated' }).check();
  await submit(dialog, 'Create', { URL: NOWHERE, Description: texts.project });
  await page.getByText('Copy the secret now').waitFor();
  yield 'webhook-secret';
  await submit(dialog, 'Close');
  const link = page.getByRole('link', { name: NOWHERE });
  await link.waitFor();
  yield 'webhooks';
  await page.route('**/webhooks/*/deliveries', (route) =>
    route.fulfill({ json: { data: DELIVERIES, nextCursor: 'next' } }),
  );
  await link.click();
  await page.getByText('HTTP 503').waitFor();
  yield 'webhook';
  await page.route(/deliveries\/\w+$/, (route) => route.fulfill({ json: detailsOf(texts.reason) }));
  yield* dialogs('', [/^Details/]);
  yield* dialogs(texts.project, ['Edit', 'Disable', 'Rotate secret', 'Delete']);
  await page.getByRole('button', { name: 'Send again' }).first().click();
  await page.getByText("This delivery doesn't exist").waitFor();
  yield 'rejected-delivery';
  await page.unrouteAll();
  await openDialog('Disable');
  await submit(dialog, 'Disable');
  await page.getByText('by your account').waitFor();
  yield 'disabled-webhook';

  yield* visit('mail', '/account/mail', 'Sample Customer');
  yield* dialogs('License key', ['Edit “License key”', 'Send me a test of “License key”']);
  yield* visit('portal', '/account/portal', 'What customers can do');
  yield* visit('signing-keys', '/account/signing-keys', 'Issuer');
  yield* dialogs('', ['Rotate keys']);
  yield* visit('integrate', '/integrate', '2. Save as');
  await page.getByRole('link', { name: 'C++' }).click();
  await page.getByRole('heading', { name: /\.cpp$/ }).waitFor();
  yield 'integrate-cpp';
}

/** The steps that a tour repeats on its page. */
function stepsOn(tested: ConsoleUnderTest, page: Page) {
  const go = async (path: string, text: string) => {
    await page.goto(tested.url + path);
    await page.getByText(text).first().waitFor();
    // A list that is loading says so.
    await page.waitForFunction(() => /^(?![^]*Loading…)|Retrying/.test(document.body.innerText));
  };
  /** Opens the page, and yields its name. */
  async function* visit(name: string, path: string, text: string) {
    await go(path, text);
    yield name;
  }
  const dialog = page.getByRole('dialog');
  const closeDialog = async () => {
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  /** Opens a dialog that names what it changes. If the change cannot be undone, its first button changes nothing. */
  const openDialog = async (action: string | RegExp, named = '', menu?: Locator) => {
    await menu?.click();
    const button = page.getByRole('button', { name: action, exact: true }).first();
    await (menu ? page.getByRole('menuitem', { name: action }) : button).click();
    await dialog.waitFor();
    await dialog.getByText('Loading…').waitFor({ state: 'detached' });
    expect(await dialog.getByRole('heading').first().innerText()).toContain(named);
    if (/^(Delete|Reissue|Revoke)/.test(String(action))) {
      expect(await dialog.getByRole('button').first().innerText()).toMatch(/^(Cancel|Close)$/);
    }
  };
  /** Opens a dialog by each action of the page, or of one of its menus, and yields the names of both. */
  async function* dialogs(named: string, actions: readonly (string | RegExp)[], menu?: Locator) {
    const [title] = (await page.title()).split(' · ');
    for (const action of actions) {
      await openDialog(action, named, menu);
      yield `${title} ${action}`.toLowerCase().replaceAll(' ', '-');
      await closeDialog();
    }
  }

  return { go, visit, openDialog, closeDialog, dialogs };
}

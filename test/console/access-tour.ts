import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { ConsoleUnderTest } from './console-under-test.js';
import { stepsOn } from './steps.js';
import type { Shown } from './tour.js';

/** Shows the pages and dialogs of members, sessions, API keys and events, and what a viewer sees. */
export async function* accessTour(tested: ConsoleUnderTest, page: Page, shown: Shown) {
  const { names, client, active } = shown;
  const { go, openDialog, closeDialog } = stepsOn(tested, page);

  await go('/join#' + randomUUID(), 'The link that you have opened');
  yield 'join';
  await go('/join', 'The link is incomplete');
  yield 'incomplete-invitation';
  await tested.logIn(page, shown.developer);
  await go('/account', 'This session');
  yield 'sessions';
  await go('/account/team', 'Invited');
  yield 'team';
  const openFor = async (row: string, action: string) => {
    await page.getByRole('row', { name: row }).getByRole('button').click();
    await page.getByRole('menuitem', { name: action }).click();
    await page.getByRole('dialog').waitFor();
  };
  await openFor('Invited', 'New link');
  yield 'new-invitation';
  await closeDialog();
  await openFor('Invited', 'Withdraw');
  yield 'withdraw-invitation';
  await closeDialog();
  await openFor(names.client, 'Change role');
  yield 'change-role';
  await closeDialog();
  await openDialog('Invite member');
  yield 'invite-member';
  await page.getByLabel('E-mail').fill(`${randomUUID()}@example.com`);
  await page.getByRole('dialog').getByRole('button', { name: 'Invite member' }).click();
  await page.getByText('Send this link to').waitFor();
  yield 'invitation';
  await go('/account/api-keys', names.project);
  yield 'api-keys';
  await openDialog('New API key');
  yield 'new-api-key';
  await page.getByLabel('Name').fill(names.client);
  await page.getByRole('checkbox', { name: 'events:read' }).check();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Copy it now').waitFor();
  yield 'secret';
  await page.getByRole('button', { name: 'Close' }).click();
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
  yield 'delete-api-key';
  await go('/events', names.reason);
  yield 'events';
  await go('/events?type=plan.deleted', 'No event matches');
  yield 'no-event-matches';
  await go(`/join#${randomUUID()}`, 'You are logged in');
  yield 'join-logged-in';
  await tested.logIn(page, shown.viewer);
  await go(`/clients/${client}`, names.project);
  yield 'client-of-viewer';
  await go(`/licenses/${active}`, 'It came from another machine');
  yield 'license-of-viewer';
  await go('/account/team', 'Your role does not allow this');
  yield 'team-of-viewer';
}

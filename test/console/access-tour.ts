import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { ConsoleUnderTest } from './console-under-test.js';
import { stepsOn } from './steps.js';
import type { Shown } from './tour.js';

/** Shows the pages and dialogs of members, sessions, API keys and events, and what a viewer sees. */
export async function* accessTour(tested: ConsoleUnderTest, page: Page, shown: Shown) {
  const { names, client, active } = shown;
  const { visit, dialogs } = stepsOn(tested, page);

  yield* visit('join', '/join#' + randomUUID(), 'The link that you have opened');
  yield* visit('incomplete-invitation', '/join', 'The link is incomplete');
  await tested.logIn(page, shown.developer);
  yield* visit('sessions', '/account', 'This session');
  yield* visit('team', '/account/team', 'Invited');
  const menuOf = (row: string) => page.getByRole('row', { name: row }).getByRole('button');
  const ofInvitation = { of: '-invitation', menu: menuOf('Invited') };
  yield* dialogs('@studio.example', ['New link', 'Withdraw'], ofInvitation);
  yield* dialogs(names.client, ['Change role'], { menu: menuOf(names.client) });
  yield* dialogs('', ['Invite member']);
  yield* visit('api-keys', '/account/api-keys', names.project);
  yield* dialogs('', ['New API key']);
  yield* dialogs(names.project, [`Delete ${names.project}`]);
  yield* visit('events', '/events', names.reason);
  yield* visit('no-event-matches', '/events?type=plan.deleted', 'No event matches');
  yield* visit('join-logged-in', `/join#${randomUUID()}`, 'You are logged in');
  await tested.logIn(page, shown.viewer);
  yield* visit('client-of-viewer', `/clients/${client}`, names.project);
  yield* visit('license-of-viewer', `/licenses/${active}`, 'It came from another machine');
  yield* visit('team-of-viewer', '/account/team', 'Your role does not allow this');
}

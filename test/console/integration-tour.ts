import type { Page } from 'playwright-core';
import type { ConsoleUnderTest } from './console-under-test.js';
import { DELIVERIES } from './deliveries.js';
import { stepsOn, submit } from './steps.js';
import type { Shown } from './tour.js';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1024/hooks/licenses';

/** Shows the pages and dialogs of webhooks, signing keys and programs. */
export async function* integrationTour(tested: ConsoleUnderTest, page: Page, shown: Shown) {
  const { names, developer } = shown;
  const { visit, openDialog, dialogs } = stepsOn(tested, page);

  await tested.logIn(page, await tested.service.register());
  yield* visit(
    'integrate-without-product',
    '/integrate?language=rust',
    'None of your projects has a product yet',
  );
  await tested.logIn(page, developer);
  yield* visit('no-webhooks', '/account/webhooks', 'No webhooks yet');
  const dialog = page.getByRole('dialog');
  await openDialog('New webhook');
  await page.getByRole('checkbox', { name: 'All events' }).uncheck();
  await dialog.getByText('Licenses', { exact: true }).click();
  yield 'new-webhook';
  await page.getByRole('checkbox', { name: 'License activated' }).check();
  await submit(dialog, 'Create', { Address: NOWHERE, Description: names.project });
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
  await page.getByText('Responded with 503').waitFor();
  yield 'webhook';
  yield* dialogs('127.0.0.1', ['Edit', 'Disable', 'Rotate secret', 'Delete'], {
    of: '-webhook',
  });
  await page.getByRole('button', { name: 'Send again' }).first().click();
  await page.getByText('This delivery does not exist').waitFor();
  yield 'rejected-delivery';
  await page.unrouteAll();
  await openDialog('Disable');
  await submit(dialog, 'Disable');
  await page.getByText('by your account').waitFor();
  yield 'disabled-webhook';
  yield* visit('webhooks-disabled', '/account/webhooks', 'by your account');

  yield* visit('signing-keys', '/account/signing-keys', 'Issuer');
  yield* dialogs('', ['Rotate keys']);
  yield* visit('integrate', '/integrate', 'web-shop.mjs');
  await page.getByLabel('Language').selectOption('C++');
  await page.getByText('web_shop.cpp').waitFor();
  yield 'integrate-cpp';
  await tested.logIn(page, shown.viewer);
  yield* visit('integrate-of-viewer', '/integrate', 'web-shop.mjs');
}

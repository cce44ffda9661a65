import type { Page } from 'playwright-core';
import type { ConsoleUnderTest } from './console-under-test.js';
import { DELIVERIES } from './deliveries.js';
import { stepsOn } from './steps.js';
import type { Shown } from './tour.js';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1024/hooks/licenses';

/** Shows the pages and dialogs of webhooks, signing keys and programs. */
export async function* integrationTour(tested: ConsoleUnderTest, page: Page, shown: Shown) {
  const { names, developer } = shown;
  const { go, openDialog, closeDialog, respond } = stepsOn(tested, page);
  const inDialog = (button: string) =>
    page.getByRole('dialog').getByRole('button', { name: button }).click();

  await tested.logIn(page, developer);
  await go('/account/webhooks', 'No webhooks yet');
  yield 'no-webhooks';
  await openDialog('New webhook');
  await page.getByRole('checkbox', { name: 'All events' }).uncheck();
  await page.getByRole('dialog').getByText('Licenses', { exact: true }).click();
  yield 'new-webhook';
  await page.getByLabel('Address').fill('https://shop.example.com:25/hooks');
  await page.getByRole('checkbox', { name: 'License activated' }).check();
  await page.getByRole('checkbox', { name: 'License expires soon' }).check();
  await page.getByLabel('Description').fill(names.project);
  await inDialog('Create');
  await page.getByText('must have the port 443').first().waitFor();
  yield 'rejected-webhook';
  await page.getByLabel('Address').fill(NOWHERE);
  await inDialog('Create');
  await page.getByText('Copy the secret now').waitFor();
  yield 'webhook-secret';
  await inDialog('Close');
  const link = page.getByRole('link', { name: NOWHERE });
  await link.waitFor();
  yield 'webhooks';
  await respond('**/webhooks/*/deliveries', { json: { data: DELIVERIES, nextCursor: 'next' } });
  await link.click();
  await page.getByText('Responded with 503').waitFor();
  yield 'webhook';
  for (const button of ['Edit', 'Disable', 'Rotate secret', 'Delete']) {
    await openDialog(button);
    yield `${button.toLowerCase().replace(' ', '-')}-webhook`;
    await closeDialog();
  }
  await page.getByRole('button', { name: 'Send again' }).first().click();
  await page.getByText('This delivery does not exist').waitFor();
  yield 'rejected-delivery';
  await page.unrouteAll();
  await openDialog('Disable');
  await inDialog('Disable');
  await page.getByText('by your account').waitFor();
  yield 'disabled-webhook';
  await go('/account/webhooks', 'by your account');
  yield 'webhooks-disabled';

  await go('/account/signing-keys', 'Issuer');
  yield 'signing-keys';
  await openDialog('Rotate keys');
  yield 'rotate-keys';
  await closeDialog();
  await go('/integrate', 'web-shop.mjs');
  yield 'integrate';
  await page.getByLabel('Language').selectOption('C++');
  await page.getByText('web_shop.cpp').waitFor();
  yield 'integrate-cpp';
  await respond('**/projects?*', { json: { data: [], nextCursor: null } });
  await go('/integrate?language=rust', 'None of your projects has a product yet');
  yield 'integrate-without-product';
  await page.unrouteAll();
  await tested.logIn(page, shown.viewer);
  await go('/integrate', 'web-shop.mjs');
  yield 'integrate-of-viewer';
}

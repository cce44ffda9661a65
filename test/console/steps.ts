import { setTimeout } from 'node:timers/promises';
import { generateSync } from 'otplib';
import type { Locator, Page, Route } from 'playwright-core';
import { PASSWORD } from '../e2e/developer.js';

/** Fills in the fields of a form by their labels, and presses one of its buttons. */
export async function submit(
  form: Page | Locator,
  button: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value);
  await form.getByRole('button', { name: button }).click();
}

/** Waits until a field has a value: filling in its current value would not be a change. */
export const untilValue = (page: Page, name: string, value: string) =>
  page.waitForFunction(
    ([field, wanted]) =>
      document.querySelector<HTMLInputElement>(`[name=${field}]`)?.value === wanted,
    [name, value] as const,
  );

/** Signs in with the form. */
export const logIn = (page: Page, { email }: { readonly email: string }, password = PASSWORD) =>
  submit(page.locator('form'), 'Sign in', { Email: email, Password: password });

/** Intercepts the next request to an address. */
export const handleNext = (page: Page, url: string, handle: (route: Route) => unknown) =>
  page.route(url, handle, { times: 1 });

/** A response that asks the caller to wait for some seconds. An overloaded service has executed nothing. */
export const unavailable = (seconds: number, code = 'OVERLOADED') => ({
  status: 503,
  headers: { 'Retry-After': String(seconds) },
  json: { message: 'Service unavailable', code, requestId: 'r' },
});

/** The text that a button copies. The button is pressed by name, unless the test has already pressed it. */
export async function copied(page: Page, button?: string): Promise<string> {
  if (button) await page.getByRole('button', { name: button }).click();
  await page.getByText('Copied').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Opens the dialog of a button. */
export async function openDialog(page: Page, button: string): Promise<Locator> {
  await page.getByRole('button', { name: button, exact: true }).first().click();
  return page.getByRole('dialog');
}

/** Presses a button, and the button of the same name in the dialog that opens. */
export const confirm = async (page: Page, action: string) =>
  submit(await openDialog(page, action), action);

/** The browser's own message about a field, which prevents the form from being sent. */
export const validityOf = (field: Locator): Promise<string> =>
  field.evaluate((element: HTMLInputElement) => element.validationMessage);

/** Chooses an action from the menu of the page's record or of a row. */
export async function chooseAction(page: Page, action: string, menu = 'More'): Promise<void> {
  await page.getByRole('button', { name: menu, exact: menu === 'More' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Waits, because a page that loads data gets the focus later. */
export async function expectFocus(target: Locator): Promise<void> {
  await target.and(target.page().locator(':focus')).waitFor();
}

/** As if ten minutes had passed since the user signed in, for the next change of API keys, members or factors. */
export function expireConfirmation(page: Page, factors: string[] = []) {
  let isExpired = true;
  return page.route(/(api-keys|members|factors\/\w+)$/, (route) => {
    if (!['POST', 'DELETE'].includes(route.request().method()) || !isExpired) {
      return route.fallback();
    }
    isExpired = false;
    const json = { message: 'Confirmation required', code: 'STEP_UP_REQUIRED', factors };
    return route.fulfill({ status: 403, json });
  });
}

/** Seconds that a code of an authenticator app is shown. */
const STEP = 30;

/** Two consecutive valid codes: each works once. */
export async function nextCodes(secret: string): Promise<[string, string]> {
  const left = STEP - ((Date.now() / 1000) % STEP);
  // The first one is right until the step ends.
  if (left < 3) await setTimeout(left * 1000);
  const now = Math.floor(Date.now() / 1000);
  return [generateSync({ secret, epoch: now - STEP }), generateSync({ secret, epoch: now })];
}

import type { Page, Route } from 'playwright-core';
import { PASSWORD } from '../e2e/developer.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** Logs somebody in by the form. */
export async function logIn(
  page: Page,
  { email }: { readonly email: string },
  password = PASSWORD,
): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** The text that a button of the page has copied. */
export async function copied(page: Page): Promise<string> {
  await page.getByText('Copied').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Chooses an action from the menu of the page's record. */
export async function chooseAction(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** What a tour does on its page, again and again. */
export function stepsOn(tested: ConsoleUnderTest, page: Page) {
  const go = async (path: string, text: string) => {
    await page.goto(tested.url + path);
    await page.getByText(text).first().waitFor();
    await page.waitForLoadState('networkidle');
  };
  const openDialog = async (button: string) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await page.getByRole('dialog').getByText('Loading…').waitFor({ state: 'detached' });
  };
  /** Opens the dialog of an action of the page's menu. */
  const openFromMenu = async (action: string) => {
    await chooseAction(page, action);
    await page.getByRole('dialog').waitFor();
  };
  const closeDialog = async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  /** Responds in place of the service, until the routes are removed. */
  const respond = (url: string, response: Parameters<Route['fulfill']>[0]) =>
    page.route(url, (route) => route.fulfill(response));

  return { go, openDialog, openFromMenu, closeDialog, respond };
}

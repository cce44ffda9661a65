import type { Locator, Page, Route } from 'playwright-core';
import { PASSWORD } from '../e2e/developer.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** Fills in the fields of a form by their labels, and presses a button of it. */
export async function submit(
  form: Page | Locator,
  button: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value);
  await form.getByRole('button', { name: button }).click();
}

/** Logs somebody in by the form. */
export const logIn = (page: Page, { email }: { readonly email: string }, password = PASSWORD) =>
  submit(page, 'Log in', { 'E-mail': email, Password: password });

/** Handles the next request to an address in place of the service. */
export const handleNext = (page: Page, url: string, handle: (route: Route) => unknown) =>
  page.route(url, handle, { times: 1 });

/** The response of a service that asks to wait for some seconds. One that is overloaded has executed nothing. */
export const unavailable = (seconds: number, code = 'OVERLOADED') => ({
  status: 503,
  headers: { 'Retry-After': String(seconds) },
  json: { message: 'Service unavailable', code, requestId: 'r' },
});

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
  /** Goes there, and yields the name of the page. */
  async function* visit(name: string, path: string, text: string) {
    await go(path, text);
    yield name;
  }
  const dialog = page.getByRole('dialog');
  const closeDialog = async () => {
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  /** Opens a dialog that names what it changes, and whose first button changes nothing where it cannot be undone. */
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
  async function* dialogs(named: string, actions: readonly string[], menu?: Locator) {
    const [title] = (await page.title()).split(' · ');
    for (const action of actions) {
      await openDialog(action, named, menu);
      yield `${title} ${action}`.toLowerCase().replaceAll(' ', '-');
      await closeDialog();
    }
  }

  return { go, visit, openDialog, closeDialog, dialogs };
}

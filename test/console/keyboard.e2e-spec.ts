import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from '../e2e/developer.js';
import { describeConsole } from './console-under-test.js';

/** More stops than any page has. */
const MOST_STOPS = 60;

describeConsole('The console by keyboard alone', (tested) => {
  it('leads from an account to a revoked license, with a visible focus at each step', async () => {
    const page = await tested.open();
    const keyboard = new Keyboard(page);
    await keyboard.press(page.getByRole('link', { name: 'Create account' }));
    await page.getByLabel('Name').waitFor();
    await keyboard.type(page.getByLabel('Name'), 'Ada');
    await keyboard.type(page.getByLabel('E-mail'), 'ada@keyboard.example');
    await keyboard.type(page.getByLabel('Password'), PASSWORD);
    await page.keyboard.press('Enter');
    await keyboard.press(page.getByRole('link', { name: 'Clients' }));
    await keyboard.press(page.getByRole('button', { name: 'New client' }));
    await keyboard.type(page.getByLabel('Name'), 'Acme Ltd');
    await keyboard.type(page.getByLabel('E-mail'), 'office@keyboard.example');
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('heading', { name: 'Acme Ltd' }));

    await keyboard.press(page.getByRole('button', { name: 'New project' }));
    await keyboard.type(page.getByLabel('Project name'), 'Web shop');
    await keyboard.focus(page.getByRole('checkbox', { name: 'Hosting' }));
    await page.keyboard.press('Space');
    await keyboard.press(page.getByRole('button', { name: 'Create' }));
    await page.getByRole('heading', { name: 'License of Web shop' }).waitFor();

    await keyboard.press(page.getByRole('button', { name: 'Show key' }));
    await page.getByRole('button', { name: 'Hide key' }).waitFor();
    const more = page.getByRole('button', { name: 'More' });
    const chooseRevoke = async () => {
      await keyboard.press(more);
      await page.getByRole('menu').waitFor();
      await page.keyboard.type('rev');
      await expectFocus(page.getByRole('menuitem', { name: 'Revoke' }));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
    };
    await chooseRevoke();
    // Escape leaves the dialog, and the focus returns to where it was.
    await page.keyboard.press('Escape');
    await expectFocus(more);
    await chooseRevoke();
    await keyboard.type(page.getByLabel('Reason'), 'Contract ended');
    await page.keyboard.press('Enter');
    await page.getByText('License revoked successfully').waitFor();
    // The button that opened the dialog is gone.
    await expectFocus(page.getByRole('heading', { level: 1 }));
    await keyboard.press(page.getByRole('button', { name: 'Dismiss' }));
    await expectFocus(page.getByRole('heading', { level: 1 }));
  });

  it('moves the focus to the heading of each page, which names the document', async () => {
    const page = await tested.openAs(await tested.register());
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const keyboard = new Keyboard(page);
    for (const name of ['Clients', 'Licenses', 'Account']) {
      await keyboard.press(page.getByRole('link', { name, exact: true }));
      await expectFocus(page.getByRole('heading', { name, level: 1 }));
      expect(await page.title()).toBe(`${name} · License console`);
    }
  });

  it('skips the navigation', async () => {
    const page = await tested.openAs(await tested.register(), '/clients');
    await page.getByText('No clients yet').waitFor();
    await page.keyboard.press('Tab');
    await expectFocus(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expectFocus(page.getByRole('button', { name: 'New client' }));
  });
});

/** Uses a page as somebody without a mouse does. */
class Keyboard {
  constructor(private readonly page: Page) {}

  /** Presses Tab until an element has the focus. */
  async focus(target: Locator): Promise<void> {
    await target.waitFor();
    for (let stops = 0; stops < MOST_STOPS; stops += 1) {
      if (await hasFocus(target)) return;
      await this.page.keyboard.press('Tab');
      expect(await this.page.evaluate(withoutOutline)).toBeNull();
    }
    throw new Error(`Tab does not reach ${String(target)}`);
  }

  async press(target: Locator): Promise<void> {
    await this.focus(target);
    await this.page.keyboard.press('Enter');
  }

  async type(target: Locator, text: string): Promise<void> {
    await this.focus(target);
    await this.page.keyboard.type(text);
  }
}

const hasFocus = (target: Locator) =>
  target.evaluate((element) => element === document.activeElement);

/** Waits, as a page that is read from the service gets the focus later. */
async function expectFocus(target: Locator): Promise<void> {
  const element = await target.elementHandle();
  await target.page().waitForFunction((wanted) => wanted === document.activeElement, element);
}

/** The focused element, if it has no outline. After the last one of the page, the focus is on the browser's own. */
function withoutOutline(): string | null {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body) return null;
  return getComputedStyle(activeElement).outlineStyle === 'none' ? activeElement.outerHTML : null;
}

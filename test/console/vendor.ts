import type { Locator, Page } from 'playwright-core';
import type { Developer } from '../e2e/developer.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** The smallest screen, on which some pages need one more click. */
export const SMALLEST = { width: 360, height: 740 };

/** A vendor at work. Clicks on buttons, links and boxes are counted; typing and pasting are free. */
export class Vendor {
  clicks = 0;

  constructor(readonly page: Page) {}

  /** A vendor who sees the overview. */
  static async at<V>(
    this: new (page: Page) => V,
    tested: ConsoleUnderTest,
    developer: Developer,
    viewport = SMALLEST,
  ): Promise<V> {
    const page = await tested.openAs(developer, '', { viewport });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return new this(page);
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  inDialog(name: string): Locator {
    return this.page.getByRole('dialog').getByRole('button', { name, exact: true });
  }

  /** Opens a page from the sidebar, or from its drawer on narrow screens. */
  async goTo(name: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    const menu = this.page.getByRole('button', { name: 'Menu', exact: true });
    if (await menu.isVisible()) await this.click(menu);
    await this.click(this.page.getByRole('link', { name, exact: true }).first());
    await this.page.getByRole('heading', { name, level: 1 }).waitFor();
  }

  /** Pastes what a customer sent, wherever the focus is, and opens the first result. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.page.keyboard.press('Control+v');
    await this.page.getByRole('option').first().waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}

/** More stops than any page has. */
const MAX_STOPS = 60;

/** A vendor without a mouse. */
export class KeyboardVendor extends Vendor {
  override async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await this.focus(target);
    await this.page.keyboard.press('Enter');
  }

  /** Presses Tab until an element has the focus. */
  async focus(target: Locator): Promise<void> {
    await target.waitFor();
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press('Tab');
      expect(await this.page.evaluate(focusThatNobodySees)).toBeNull();
    }
    throw new Error(`Tab does not reach ${String(target)}`);
  }

  async check(box: Locator): Promise<void> {
    this.clicks += 1;
    await this.focus(box);
    await this.page.keyboard.press('Space');
    expect(await box.isChecked()).toBe(true);
  }

  /** Replaces the text of a field by typing. */
  async type(field: Locator, text: string): Promise<void> {
    await this.focus(field);
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
  }

  /** Moves to an item of a menu or list that has the focus, or whose field has it. */
  async pressArrowTo(item: Locator): Promise<void> {
    await item.waitFor();
    const isReached = () => item.evaluate((element) => element.matches('[data-focused]'));
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      if (await isReached()) return;
      await this.page.keyboard.press('ArrowDown');
    }
    throw new Error(`The arrows do not reach ${String(item)}`);
  }

  /** Chooses an item from the menu of the page's record. */
  async choose(action: string): Promise<void> {
    await this.click(this.button('More'));
    this.clicks += 1;
    await this.pressArrowTo(this.page.getByRole('menuitem', { name: action }));
    await this.page.keyboard.press('Enter');
  }
}

/**
 * The focused element if it has no outline or is off screen. After the last element of the page, the focus moves to the browser
 * itself.
 */
function focusThatNobodySees(): string | null {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body) return null;
  // A row's link is outlined by its row.
  const hasOutline = [undefined, '::after'].some(
    (part) => getComputedStyle(activeElement, part).outlineStyle !== 'none',
  );
  const { top, bottom, left, right } = activeElement.getBoundingClientRect();
  const isOnScreen = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  return hasOutline && isOnScreen ? null : activeElement.outerHTML;
}

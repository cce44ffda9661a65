import type { Locator, Page } from 'playwright-core';
import type { Developer } from '../e2e/developer.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { Keyboard } from './keyboard.js';

/** The smallest screen, where some pages take a click more. */
export const BY_MOUSE = { viewport: { width: 360, height: 740 }, isByKeyboard: false };
export const BY_KEYBOARD = { viewport: { width: 1280, height: 800 }, isByKeyboard: true };

/** A vendor at work: what is typed or pasted is free; presses of buttons, links and boxes are clicks, which are counted. */
export class Vendor {
  clicks = 0;

  constructor(
    readonly page: Page,
    private readonly keyboard?: Keyboard,
  ) {}

  /** A vendor who sees the overview. */
  static async at(
    tested: ConsoleUnderTest,
    developer: Developer,
    { viewport, isByKeyboard } = BY_MOUSE,
  ): Promise<Vendor> {
    const page = await tested.openAs(developer, '', { viewport });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return new Vendor(page, isByKeyboard ? new Keyboard(page) : undefined);
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await (this.keyboard ? this.keyboard.press(target) : target.click());
  }

  async check(box: Locator): Promise<void> {
    this.clicks += 1;
    await (this.keyboard ? this.keyboard.check(box) : box.check());
  }

  async type(field: Locator, text: string): Promise<void> {
    await (this.keyboard ? this.keyboard.type(field, text) : field.fill(text));
  }

  /** Chooses from the menu of the page's record. */
  async choose(action: string): Promise<void> {
    const item = this.page.getByRole('menuitem', { name: action });
    await this.click(this.button('More'));
    if (!this.keyboard) return this.click(item);
    this.clicks += 1;
    await this.keyboard.pressArrowTo(item);
    await this.page.keyboard.press('Enter');
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  inDialog(name: string): Locator {
    return this.page.getByRole('dialog').getByRole('button', { name, exact: true });
  }

  /** Opens a page of the sidebar, on narrow screens by its drawer. */
  async goTo(name: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    const menu = this.page.getByRole('button', { name: 'Menu', exact: true });
    if (await menu.isVisible()) await this.click(menu);
    await this.click(this.page.getByRole('link', { name, exact: true }).first());
    await this.page.getByRole('heading', { name, level: 1 }).waitFor();
  }

  /** Pastes what a customer has sent, wherever the focus is, and opens the first that is found. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.page.keyboard.press('Control+v');
    await this.page.getByRole('option').first().waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}

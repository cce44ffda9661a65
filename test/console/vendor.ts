import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Developer } from '../e2e/developer.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** The screens on which each job is tried. */
export const VIEWPORTS = [
  { name: 'at 1280 px', viewport: { width: 1280, height: 800 } },
  { name: 'at 360 px', viewport: { width: 360, height: 740 } },
];

/** A vendor at work: what is typed, pasted or chosen by the keyboard is free, clicks are counted. */
export class Vendor {
  clicks = 0;

  constructor(readonly page: Page) {}

  /** A vendor who sees the overview. */
  static async at(
    tested: ConsoleUnderTest,
    developer: Developer,
    options: BrowserContextOptions,
  ): Promise<Vendor> {
    const page = await tested.openAs(developer, '', options);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return new Vendor(page);
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  /** Opens a page of the sidebar, on narrow screens by its drawer. */
  async goTo(name: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    const menu = this.page.getByRole('button', { name: 'Menu', exact: true });
    if (await menu.isVisible()) await this.click(menu);
    await this.click(this.page.getByRole('link', { name, exact: true }).first());
    await this.page.getByRole('heading', { name, level: 1 }).waitFor();
  }

  /** Pastes what a customer has sent, wherever the page is, and opens the first that is found. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.page.locator('body').press('Control+v');
    await this.page.getByRole('option').first().waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}

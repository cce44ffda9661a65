import type { Locator, Page } from 'playwright-core';

/** More stops than any page has. */
const MAX_STOPS = 60;

/** Uses a page as somebody without a mouse does. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  /** Presses Tab until an element has the focus. */
  async focus(target: Locator): Promise<void> {
    await target.waitFor();
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      if (await hasFocus(target)) return;
      await this.page.keyboard.press('Tab');
      expect(await this.page.evaluate(focusThatNobodySees)).toBeNull();
    }
    throw new Error(`Tab does not reach ${String(target)}`);
  }

  async press(target: Locator): Promise<void> {
    await this.focus(target);
    await this.page.keyboard.press('Enter');
  }

  /** Checks a box. */
  async check(target: Locator): Promise<void> {
    await this.focus(target);
    await this.page.keyboard.press('Space');
    expect(await target.isChecked()).toBe(true);
  }

  /** Types into a field, in place of what it holds. */
  async type(target: Locator, text: string): Promise<void> {
    await this.focus(target);
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
  }

  /** Moves to an item of a menu or a list, which has the focus by itself, or as the field above it says. */
  async pressArrowTo(item: Locator): Promise<void> {
    await item.waitFor();
    const isReached = () => item.evaluate((element) => element.matches('[data-focused]'));
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      if (await isReached()) return;
      await this.page.keyboard.press('ArrowDown');
    }
    throw new Error(`The arrows do not reach ${String(item)}`);
  }
}

const hasFocus = (target: Locator) =>
  target.evaluate((element) => element === document.activeElement);

/** Waits, as a page that is read from the service gets the focus later. */
export async function expectFocus(target: Locator): Promise<void> {
  await target.and(target.page().locator(':focus')).waitFor();
}

/**
 * The focused element, if it has no outline or is not on the screen. After the last one of the page, the focus is on
 * the browser's own.
 */
function focusThatNobodySees(): string | null {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body) return null;
  // The link of a row has the outline of its row.
  const hasOutline = [undefined, '::after'].some(
    (part) => getComputedStyle(activeElement, part).outlineStyle !== 'none',
  );
  const { top, bottom, left, right } = activeElement.getBoundingClientRect();
  const isOnScreen = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  return hasOutline && isOnScreen ? null : activeElement.outerHTML;
}

import fs from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2, levels A and AA. In the dark scheme, the rules that depend on the colours. */
const RULES = {
  light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  dark: ['color-contrast', 'link-in-text-block'],
};

const WIDE = { width: 1280, height: 800 };
/** WCAG 1.4.10: a page of 1280 px at 400 %. */
const NARROW = { width: 320, height: 640 };

/** How a page is looked at. What can be wrong in a dark and narrow view is wrong in one of these, too. */
const VIEWS = [
  { name: 'light-narrow', colorScheme: 'light', viewport: NARROW },
  { name: 'light-wide', colorScheme: 'light', viewport: WIDE },
  { name: 'dark-wide', colorScheme: 'dark', viewport: WIDE },
] as const;

/** Shows a page, with its dialog, in each view. @returns what axe rejects, with the elements, and whether it is too wide */
export async function problemsIn(page: Page, look = async (_view: string): Promise<void> => {}) {
  const problems: string[] = [];
  for (const { name, colorScheme, viewport } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
    const { violations } = await page.evaluate(async (runOnly): Promise<AxeResults> => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      // What lies behind a dialog was tested before it was opened.
      const shown = document.querySelector('[role=dialog]') ?? document;
      return axe.run(shown, { runOnly, resultTypes: ['violations'] });
    }, RULES[colorScheme]);
    for (const { id, nodes } of violations) {
      const found = nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`);
      problems.push(...found.map((problem) => `${name}: ${problem}`));
    }
    const excess = await page.evaluate(async () => {
      // A menu follows its button in the frame after a change of the size.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    if (excess > 0) problems.push(`${name}: ${excess} px too wide`);
    await look(name);
  }
  return problems;
}

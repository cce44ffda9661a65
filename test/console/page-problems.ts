import fs from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { problemsOf } from './table-problems.js';

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2, levels A and AA. */
const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules whose results depend on colors and widths. The others are the same in each view of a page. */
const OF_VIEW = ['color-contrast', 'target-size', 'button-name', 'link-name'];

interface View {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  /** The tags or ids of axe's rules, by default {@link ALL}. */
  readonly rules?: readonly string[];
}

/** The views in which a page is checked. WCAG 1.4.10 asks for 320 px: a page of 1280 px at 400 %. */
const VIEWS: readonly View[] = [
  { name: 'light-narrow', colorScheme: 'light', width: 320, rules: OF_VIEW },
  { name: 'middle', colorScheme: 'light', width: 768, rules: [] },
  { name: 'dark-wide', colorScheme: 'dark', width: 1280 },
];

/** The problems that axe finds on the page, or in its topmost dialog; the page behind it was tested before the dialog opened. */
async function rejectedByAxe(page: Page, rules: readonly string[]): Promise<string[]> {
  if (rules.length === 0) return [];
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (runOnly): Promise<AxeResults> => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const shown = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document;
      return axe.run(shown, { runOnly, resultTypes: ['violations'] });
    },
    [...rules],
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Shows a page in each view. @returns the problems that axe finds, with the elements, and elements that do not fit */
export async function problemsIn(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, colorScheme, width, rules = ALL } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    // A menu follows its button in the frame after a change of the size.
    await page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    });
    const rejected = await rejectedByAxe(page, rules);
    const unfit = await page.evaluate(problemsOf);
    problems.push(...[...rejected, ...unfit].map((problem) => `${name}: ${problem}`));
  }
  return problems;
}

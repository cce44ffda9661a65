import fs from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { problemsOf } from './table-problems.js';

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface View {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

/** The views in which a page is checked. WCAG 1.4.10 asks for 320 px: a page of 1280 px at 400 %. */
const VIEWS: readonly View[] = [
  { name: 'light-narrow', colorScheme: 'light', width: 320 },
  { name: 'middle', colorScheme: 'light', width: 768 },
  { name: 'dark-wide', colorScheme: 'dark', width: 1280 },
];

/** The problems that axe finds on the page, or in its topmost dialog; the page behind it was tested before the dialog opened. */
async function rejectedByAxe(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate((runOnly): Promise<AxeResults> => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const shown = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document;
    return axe.run(shown, { runOnly, resultTypes: ['violations'] });
  }, RULES);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Shows a page in each view. @returns the problems that axe finds at both ends, with the elements, and elements that do not fit */
export async function problemsIn(page: Page, views = VIEWS): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, colorScheme, width } of views) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    // A menu follows its button in the frame after a change of the size.
    await page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    });
    const rejected = name === 'middle' ? [] : await rejectedByAxe(page);
    const unfit = await page.evaluate(problemsOf);
    problems.push(...[...rejected, ...unfit].map((problem) => `${name}: ${problem}`));
  }
  return problems;
}

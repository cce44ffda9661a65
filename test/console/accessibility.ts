import fs from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2, levels A and AA. In the dark scheme, the rules that depend on the colours. */
const RULES = {
  light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  dark: ['color-contrast', 'link-in-text-block'],
};

/** What axe rejects on a page, or in its dialog, in a colour scheme, with the elements. */
export async function violationsOf(page: Page, scheme: keyof typeof RULES): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(async (runOnly): Promise<AxeResults> => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    // What lies behind a dialog was tested before it was opened.
    const shown = document.querySelector('[role=dialog]') ?? document;
    return axe.run(shown, { runOnly, resultTypes: ['violations'] });
  }, RULES[scheme]);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

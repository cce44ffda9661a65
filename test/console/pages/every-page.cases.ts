import path from 'node:path';
import type { Page } from 'playwright-core';
import { violationsOf } from '../accessibility.js';
import { accessTour } from '../access-tour.js';
import { describeConsole } from '../console-under-test.js';
import { integrationTour } from '../integration-tour.js';
import { createShown, tour } from '../tour.js';

/** A folder for a picture of each view; `npm run screenshots` sets it. */
const { SCREENSHOTS } = process.env;

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };
/** WCAG 1.4.10: a page of 1280 px at 400 %. */
const NARROWEST = { width: 320, height: 640 };

const VIEWS = [
  { name: 'light-wide', colorScheme: 'light', viewport: WIDE },
  { name: 'light-narrow', colorScheme: 'light', viewport: NARROW },
  { name: 'dark-wide', colorScheme: 'dark', viewport: WIDE },
  // What can be wrong with it is wrong with one of the others, too.
  ...(SCREENSHOTS
    ? ([{ name: 'dark-narrow', colorScheme: 'dark', viewport: NARROW }] as const)
    : []),
] as const;

const MARKUP = `"'{{7*7}} <img src=x onerror=alert(1)><script>alert(2)</script>`;
const NAMES = SCREENSHOTS
  ? { client: 'Acme Ltd', project: 'Web shop', reason: 'Contract ended' }
  : {
      client: '<img src=x onerror=a()>',
      project: '<script>alert(2)</script>',
      reason: MARKUP,
    };

describeConsole('Every page of the console', (tested) => {
  it.each([
    ['clients, licenses and the account', tour],
    ['members, sessions, API keys and events', accessTour],
    ['webhooks, signing keys and programs', integrationTour],
  ])(
    'S19: of %s shows markup in every field as text and breaks no policy, and has nothing that WCAG 2.2 AA rejects, light and dark, at 1280, 360 and 320 px',
    async (_pages, walk) => {
      const shown = await createShown(tested, NAMES);
      const page = await tested.open();
      await page.addInitScript(() =>
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          console.error(`Content Security Policy: ${violatedDirective} ${blockedURI}`),
        ),
      );
      const problems: string[] = [];
      for await (const stop of walk(tested, page, shown)) {
        const elements = await page.locator('img, iframe, script:not([src])').count();
        if (elements > 0) problems.push(`${stop}: ${elements} foreign elements`);
        for (const { name, colorScheme, viewport } of VIEWS) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize(viewport);
          const found = [...(await violationsOf(page, colorScheme)), ...(await overflowOf(page))];
          problems.push(...found.map((problem) => `${stop} ${name}: ${problem}`));
          if (SCREENSHOTS) {
            const file = path.join(SCREENSHOTS, `${stop}-${name}.png`);
            await page.evaluate(() => scrollTo(0, 0));
            // What lies above a page covers what is on the screen.
            const isCovered = await page.getByRole('dialog').isVisible();
            await page.screenshot({ path: file, fullPage: !isCovered });
          }
        }
        await page.setViewportSize(NARROWEST);
        problems.push(...(await overflowOf(page)).map((problem) => `${stop} at 320 px ${problem}`));
        await page.setViewportSize(WIDE);
      }
      expect(problems).toEqual([]);
      await page.goto(`${tested.url}/clients?search=${encodeURIComponent(MARKUP)}`);
      await page.getByText('No client matches').waitFor();
      await page.goto(`${tested.url}/login?from=${encodeURIComponent(`/${MARKUP}`)}`);
      await page.getByRole('heading').waitFor();
    },
  );
});

/** WCAG 1.4.10: nothing has to be scrolled sideways. */
async function overflowOf(page: Page): Promise<string[]> {
  const wide = await page.evaluate(async () => {
    // A menu follows its button in the frame after a change of the size.
    for (let frame = 0; frame < 2; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  return wide > 0 ? [`is ${wide} px too wide`] : [];
}

import path from 'node:path';
import { problemsIn, VIEWS } from '../accessibility.js';
import { describeConsole } from '../console-under-test.js';
import { accessTour, createShown, integrationTour, tour } from '../tour.js';

/** A folder for a picture of each view; `npm run screenshots` sets it. */
const { SCREENSHOTS } = process.env;

const NAMES = SCREENSHOTS
  ? { client: 'Acme Ltd', project: 'Web shop', reason: 'Contract ended' }
  : {
      client: '<img src=x onerror=a()>',
      project: '<script>alert(2)</script>',
      reason: `"'{{7*7}} <img src=x onerror=alert(1)><script>alert(2)</script>`,
    };

describeConsole('Every page of the console', (tested) => {
  it.each([
    ['clients, licenses and the account', tour],
    ['members, sessions, API keys and events', accessTour],
    ['webhooks, signing keys and programs', integrationTour],
  ])(
    'S19: of %s shows markup in every field as text and breaks no policy, and has nothing that WCAG 2.2 AA rejects, light and dark, at 1280 and 320 px',
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
        for (const view of VIEWS) {
          const found = await problemsIn(view, page);
          problems.push(...found.map((problem) => `${stop} ${problem}`));
          if (SCREENSHOTS) {
            const file = path.join(SCREENSHOTS, `${stop}-${view.name}.png`);
            await page.evaluate(() => scrollTo(0, 0));
            // What lies above a page covers what is on the screen.
            const isCovered = await page.getByRole('dialog').isVisible();
            await page.screenshot({ path: file, fullPage: !isCovered });
          }
        }
      }
      expect(problems).toEqual([]);
    },
  );
});

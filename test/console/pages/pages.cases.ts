import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import type { AxeResults } from 'axe-core';
import type { Page, Response } from 'playwright-core';
import { describeConsole } from '../console-under-test.js';
import { createLongNames, DELIVERIES } from '../records.js';
import { confirm } from '../steps.js';
import { problemsOf } from '../table-problems.js';
import { accessTour, createShown, integrationTour, tour } from '../tour.js';

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
async function problemsIn(page: Page, look?: (view: string) => Promise<void>) {
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
    await look?.(name);
  }
  return problems;
}

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
        const found = await problemsIn(page, async (view) => {
          if (!SCREENSHOTS) return;
          await page.evaluate(() => scrollTo(0, 0));
          // What lies above a page covers what is on the screen.
          const fullPage = !(await page.getByRole('dialog').isVisible());
          await page.screenshot({ path: path.join(SCREENSHOTS, `${stop}-${view}.png`), fullPage });
        });
        problems.push(...found.map((problem) => `${stop} ${problem}`));
      }
      expect(problems).toEqual([]);
    },
  );
});

const WIDTHS = [360, 768, 1024, 1280, 1920, 2560];

describeConsole('The tables of the console', (tested) => {
  it('show names of every length whole on cards, and on one line that nothing flows out of from 768 to 2560 px', async () => {
    const { developer, client, license, webhook } = await createLongNames(tested);
    const page = await tested.openAs(developer);
    await page.route('**/webhooks/*/deliveries', (route) =>
      route.fulfill({ json: { data: DELIVERIES, nextCursor: null } }),
    );
    const problems: string[] = [];
    for (const [path, rows] of [
      ['/', 6],
      ['/licenses', 12],
      ['/clients', 6],
      [`/clients/${client}`, 2],
      ['/plans', 6],
      ['/events', 20],
      ['/account/team', 13],
      ['/account/api-keys', 6],
      ['/account/webhooks', 6],
      [`/account/webhooks/${webhook}`, 3],
      [`/licenses/${license}`, 2],
      ['/account', 3],
      ['/account/signing-keys', 2],
    ] as const) {
      await page.goto(tested.url + path);
      const row = page.locator('main :is(tbody tr, pre)').nth(rows - 1);
      await row.waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const found = await page.evaluate(problemsOf);
        problems.push(...found.map((problem) => `${path} at ${width} px: ${problem}`));
      }
    }
    expect(problems).toEqual([]);
  });
});

const VITE = path.join('node_modules', 'vite', 'bin', 'vite.js');
const ADDRESS = 'https://parts.example/';

describeConsole('The page of the parts of the console', (tested) => {
  it('shows each part, opens its dialogs and menus, and has nothing that WCAG 2.2 AA rejects, light and dark, at 1280 and 320 px', async () => {
    const folder = tested.path('parts');
    const options = ['--outDir', folder, '--logLevel', 'error'];
    execFileSync(process.execPath, [VITE, 'build', 'console/dev', ...options]);
    const page = await tested.newPage();
    await page.route(`${ADDRESS}**`, (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ path: path.join(folder, pathname === '/' ? 'index.html' : pathname) });
    });
    await page.goto(ADDRESS);
    await page.getByRole('heading', { name: 'A table that has failed' }).waitFor();
    const problems: string[] = [];
    const check = async () => problems.push(...(await problemsIn(page)));
    await check();
    await confirm(page, 'Confirm');
    await page.getByText('There is no service').waitFor();
    await check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
    await check();
    expect(problems).toEqual([]);
  });

  it('is not in the build', () => {
    const grep = (text: string) => spawnSync('grep', ['-rq', text, 'dist/console-app']).status;
    expect([grep('License console'), grep('Parts of the console')]).toEqual([0, 1]);
  });
});

/** A page of a list. */
const ROWS = 20;

describeConsole('The console', (tested) => {
  const developer = tested.useDeveloper();
  it('reads licenses with the names by a request for each list, never by one for each row', async () => {
    const { client, project } = await tested.service.createLicense(developer);
    const batch = { duration: 6, services: ['Hosting'], count: ROWS };
    await tested.service.post(`/projects/${project}/licenses/batch`, batch, developer);
    await tested.service.createProject(developer, client, { projectName: 'Portal' });
    const page = await tested.openAs(developer, '/account');
    let requests: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith('/console')) requests.push(pathname.replace(client, ':id'));
    });
    for (const [path, expected] of [
      ['/licenses', ['/auth/me', '/clients', '/licenses']],
      [`/clients/${client}`, ['/auth/me', '/clients/:id', '/licenses', '/projects']],
    ] as const) {
      // Nothing of the page before is still on its way.
      await page.goto('about:blank');
      requests = [];
      await page.goto(tested.url + path);
      await page.getByRole('row').nth(ROWS).waitFor();
      await page.waitForLoadState('networkidle');
      expect(requests.sort()).toEqual(expected);
    }
  });

  it('loads at most 150 kB of script, compressed, as the first page of a vendor', async () => {
    const page = await tested.openAs(developer, '/account');
    const scripts: Response[] = [];
    await page.goto('about:blank');
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response);
    });
    await page.goto(tested.url);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.waitForLoadState('networkidle');
    const bodies = await Promise.all(scripts.map((response) => response.body()));
    const bytes = bodies.reduce((sum, body) => sum + zlib.gzipSync(body).length, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(150_000);
  });
});

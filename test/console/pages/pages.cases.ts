import zlib from 'node:zlib';
import type { Response } from 'playwright-core';
import { describeConsole } from '../console-under-test.js';
import { problemsIn } from '../page-problems.js';
import { createShown } from '../records.js';
import { accessTour, integrationTour, tour } from '../tour.js';

describeConsole('Every page of the console', (tested) => {
  it.each([
    ['clients, licenses and the account', tour],
    ['members, sessions, API keys and events', accessTour],
    ['webhooks, signing keys and programs', integrationTour],
  ])(
    'S19: for %s shows markup in every field as text, violates no policy, passes WCAG 2.2 AA in light and dark, and fits texts of any length from 320 to 1280 px',
    async (_pages, walk) => {
      const shown = await createShown(tested);
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
        problems.push(...(await problemsIn(page)).map((problem) => `${stop} ${problem}`));
      }
      expect(problems).toEqual([]);
    },
  );
});

/** One page of a list. */
const ROWS = 20;

describeConsole('The console', (tested) => {
  const developer = tested.useDeveloper();
  it("reads licenses and names with one request per list and one for a long list's total, never one per row", async () => {
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
      ['/licenses', ['/auth/me', '/auth/registration', '/licenses', '/licenses']],
      [
        `/clients/${client}`,
        ['/auth/me', '/auth/registration', '/clients/:id', '/licenses', '/projects'],
      ],
    ] as const) {
      // Nothing from the previous page is still loading.
      await page.goto('about:blank');
      requests = [];
      await page.goto(tested.url + path);
      await page.getByRole('row').nth(ROWS).waitFor();
      await page.waitForLoadState('networkidle');
      expect(requests.sort()).toEqual(expected);
    }
  });

  it('sorts customers by name, A to Z and back, and keeps the order in the address', async () => {
    // The newest comes first before the list is sorted, so it is first in neither order.
    for (const name of ['Zeta', 'Acme', 'Ölmühle', 'beta']) {
      await tested.service.createClient(developer, { name });
    }
    const page = await tested.openAs(developer, '/clients');
    const names = ['Acme', 'beta', 'Ölmühle', 'Zeta'];
    for (const [search, first] of [
      ['?sort=name&order=asc', 'Acme'],
      ['?sort=name&order=desc', 'Zeta'],
    ] as const) {
      const button = page.getByRole('button', { name: 'Name' });
      const preloaded = page.waitForResponse((response) =>
        response.url().includes(search.slice(1)),
      );
      await page.mouse.move(0, 0);
      await button.hover();
      await preloaded;
      await button.click();
      await page.waitForURL(`**/clients${search}`);
      await page.getByRole('row').nth(1).getByRole('link', { name: first }).waitFor();
      const shown = await page.getByRole('row').getByRole('link').allInnerTexts();
      expect(shown).toEqual(first === 'Acme' ? names : names.toReversed());
    }
    await page.reload();
    await page.getByRole('columnheader', { name: 'Name' }).waitFor();
    await page.getByRole('row').nth(1).getByRole('link', { name: 'Zeta' }).waitFor();
  });

  it.each([
    ['a Mac', '⌘ K', { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' }],
    ['another computer', 'Ctrl K', {}],
    ['a phone', '', { hasTouch: true, isMobile: true }],
  ])('shows the shortcut of the search on %s: "%s"', async (_device, shortcut, options) => {
    const page = await tested.openAs(developer, '', options);
    const button = page.getByRole('button', { name: 'Search' });
    expect((await button.innerText()).split('\n')).toEqual(['Search', shortcut].filter(Boolean));
  });

  it('loads at most 150 kB of compressed scripts for the first page', async () => {
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

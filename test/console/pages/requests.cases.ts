import zlib from 'node:zlib';
import type { Response } from 'playwright-core';
import { describeConsole } from '../console-under-test.js';

/** A page of a list. */
const ROWS = 20;

describeConsole('The console', (tested) => {
  const developer = tested.useDeveloper();
  it('reads licenses with the names by a request for each list, never by one for each row', async () => {
    const { client, project } = await tested.service.createLicense(developer);
    for (let added = 0; added < ROWS; added += 1) {
      await tested.service.addLicense(developer, project);
    }
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

import zlib from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { addLicense, createClient, createProject, type Developer } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';

/** A page of a list. */
const ROWS = 20;

describeConsole('A page of licenses in the console', (tested) => {
  let developer: Developer;
  let client: string;
  beforeEach(async () => {
    developer = await tested.register();
    client = (await createClient(tested.service, developer))._id;
    const { project } = await createProject(tested.service, developer, client);
    for (let added = 0; added < ROWS; added += 1) {
      await addLicense(tested.service, developer, project._id);
    }
    await createProject(tested.service, developer, client, { projectName: 'Portal' });
  });

  /** The paths that a page requests of the API, each with its query. */
  const requestsOf = async (page: Page, path: string) => {
    const requests: string[] = [];
    // Nothing of the page before is still on its way.
    await page.goto('about:blank');
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (!pathname.startsWith('/console')) requests.push(pathname + search);
    });
    await page.goto(tested.url + path);
    await page.getByRole('row').nth(ROWS).waitFor();
    await page.waitForLoadState('networkidle');
    return requests;
  };

  it.each([
    ['of all, by their list alone', () => '/licenses', ['/auth/me', '/clients', '/licenses']],
    [
      'of a client, by one request for all projects',
      () => `/clients/${client}`,
      ['/auth/me', '/clients/:id', '/licenses', '/projects'],
    ],
  ])('is read with the names %s, never by a request for each row', async (_of, path, expected) => {
    const requests = await requestsOf(await tested.openAs(developer, '/account'), path());
    const paths = requests.map((one) => one.replace(/\?.*/, '').replace(client, ':id'));
    expect(paths.sort()).toEqual(expected);
  });
});

/** The most bytes of script, compressed, of the first page that a browser opens. */
const MAX_SCRIPT = 150_000;

describeConsole('The first page of the console', (tested) => {
  it.each([
    ['a visitor', 'Log in', () => tested.open('/account')],
    ['a vendor', 'Overview', async () => tested.openAs(await tested.register(), '/account')],
  ])('loads at most 150 kB of script, for %s', async (_whom, heading, open) => {
    const page = await open();
    const scripts: Response[] = [];
    await page.goto('about:blank');
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response);
    });
    await page.goto(tested.url);
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.waitForLoadState('networkidle');
    const bodies = await Promise.all(scripts.map((response) => response.body()));
    const bytes = bodies.reduce((sum, body) => sum + zlib.gzipSync(body).length, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(MAX_SCRIPT);
  });
});

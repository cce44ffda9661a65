import path from 'node:path';
import zlib from 'node:zlib';
import { chromium } from 'playwright-core';
import { accessTokens } from '../lib/access-token.mjs';
import { LIMITS_OFF, Service } from '../lib/service.mjs';
import { fill } from '../lib/fill.mjs';
import { summary } from '../lib/statistics.mjs';

/** One license for each client. */
const LICENSES = 100;
export const MANY = 10_000;

/** Searches of a round. The names of the clients are numbered. */
const SEARCHES = Array.from({ length: 9 }, (_, digit) => `client ${digit + 1}`);

/**
 * The console in a browser: kilobytes of gzipped script of its first page, milliseconds until that shows content, and of
 * the longest task of the main thread while 100 licenses are listed; a search among many clients against one among 100.
 */
export async function consoleInBrowser({ folder, rounds, executablePath }) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const few = await Account.create(browser, path.join(folder, 'few'), LICENSES);
    const many = await Account.create(browser, path.join(folder, 'many'), MANY);
    const results = { scripts: [], contents: [], tasks: [], few: [], many: [] };
    for (let round = 0; round < rounds; round++) {
      const { kilobytes, milliseconds } = await firstPage(browser, few.url);
      results.scripts.push(kilobytes);
      results.contents.push(milliseconds);
      results.tasks.push(await longestTask(await few.open('/licenses')));
      results.few.push(await searchTime(await few.open('/clients')));
      results.many.push(await searchTime(await many.open('/clients')));
    }
    await Promise.all([few.end(), many.end()]);
    return {
      script: summary(results.scripts),
      content: summary(results.contents),
      task: summary(results.tasks),
      search: { ratio: summary(results.many.map((time, round) => time / results.few[round])) },
    };
  } finally {
    await browser.close();
  }
}

/** A service with one account, which is logged in. */
class Account {
  #browser;
  #service;
  #token;

  constructor(browser, service, url, token) {
    this.#browser = browser;
    this.#service = service;
    this.#token = token;
    this.url = `${url}/console`;
  }

  static async create(browser, folder, clients) {
    const env = { DATA_DIR: path.join(folder, 'data') };
    const size = { clients, projects: 1, pending: 1, active: 0 };
    const { accounts } = await fill(env, 1, size);
    const service = new Service(folder, LIMITS_OFF);
    const url = await service.listening();
    const [token] = accessTokens(env, accounts);
    return new Account(browser, service, url, token);
  }

  async open(address) {
    const context = await this.#browser.newContext();
    // The benchmark makes its own access tokens, so it has no session to refresh.
    await context.route('**/console/session/refresh', (route) =>
      route.fulfill({ json: { accessToken: this.#token, expiresIn: 900 } }),
    );
    const page = await context.newPage();
    await page.addInitScript(() => {
      globalThis.tasks = [0];
      new globalThis.PerformanceObserver((list) =>
        globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration)),
      ).observe({ type: 'longtask', buffered: true });
    });
    await page.goto(this.url + address);
    await page.getByRole('table').waitFor();
    return page;
  }

  end() {
    return this.#service.end();
  }
}

/** The first page of a browser that has nothing of the console yet. */
async function firstPage(browser, url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const scripts = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response);
  });
  await page.goto(url);
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  // The button is in the document before the browser has painted it.
  const milliseconds = await page.evaluate(
    () =>
      new Promise((resolve) => {
        new globalThis.PerformanceObserver((list) => {
          for (const { startTime } of list.getEntriesByName('first-contentful-paint'))
            resolve(startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
  const bodies = await Promise.all(scripts.map((response) => response.body()));
  const bytes = bodies.reduce((sum, body) => sum + zlib.gzipSync(body).length, 0);
  await context.close();
  return { kilobytes: bytes / 1000, milliseconds };
}

/** The longest task of the main thread, while the list is read to its end; 0 if none took 50 ms. */
async function longestTask(page) {
  // Those of the page's own start do not count.
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => (globalThis.tasks = [0]));
  const rows = page.getByRole('table').getByRole('row');
  for (let shown = 20; shown < LICENSES; shown += 20) {
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(shown + 1).waitFor();
  }
  await page.waitForLoadState('networkidle');
  const longest = await page.evaluate(() => Math.max(...globalThis.tasks));
  await page.context().close();
  return longest;
}

/** The median of the milliseconds from sending a search until its response has arrived. */
async function searchTime(page) {
  const times = [];
  for (const search of SEARCHES) {
    const [response] = await Promise.all([
      page.waitForResponse((answered) => answered.url().includes('search=')),
      page.getByLabel('Search').fill(search),
    ]);
    await response.finished();
    times.push(response.request().timing().responseEnd);
  }
  await page.context().close();
  return summary(times).median;
}

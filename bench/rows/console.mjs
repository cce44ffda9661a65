import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { chromium } from 'playwright-core';
import { Deployment } from '../lib/deployment.mjs';
import { summary } from '../lib/statistics.mjs';

/** One license for each client. */
const LICENSES = 100;
/** Licenses of each of the many clients. */
export const LICENSES_EACH = 10;

/** Every page of the sidebar, in its order but for the overview. */
const PAGES = [
  ...['Licenses', 'Clients', 'Plans', 'Events', 'Integrate', 'Team', 'API keys', 'Webhooks'],
  ...['Signing keys', 'Account', 'Overview'],
];
/** Milliseconds from the pointer's arrival on a link until the click. A hand takes longer. */
const HOVER = 100;

/** Searches of a round. The names of the clients are numbered. */
const SEARCHES = Array.from({ length: 9 }, (_, digit) => `client ${digit + 1}`);

/**
 * The console in a browser: kilobytes of gzipped script of its first page, milliseconds until that shows content, and of
 * the longest task of the main thread while 100 licenses are listed; a search among many clients against one among 100.
 * In the account with many: milliseconds until the overview is shown, and from a click until the slowest other page is.
 */
export async function consoleInBrowser(extent, executablePath) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const create = (name, clients, pending) =>
      Account.create(browser, { ...extent, name }, { clients, projects: 1, pending, active: 0 });
    const few = await create('few', LICENSES, 1);
    const many = await create('many', extent.licenses / LICENSES_EACH, LICENSES_EACH);
    const results = { scripts: [], contents: [], tasks: [], few: [], many: [] };
    const shown = { first: [], next: [] };
    for (let round = 0; round < extent.rounds; round++) {
      const { kilobytes, milliseconds } = await firstPage(browser, few.url);
      results.scripts.push(kilobytes);
      results.contents.push(milliseconds);
      results.tasks.push(await longestTask(await few.open('/licenses')));
      results.few.push(await searchTime(await few.open('/clients')));
      results.many.push(await searchTime(await many.open('/clients')));
      const { first, next } = await timesToPages(await many.open(''));
      shown.first.push(first);
      shown.next.push(Math.max(...next));
    }
    await Promise.all([few.end(), many.end()]);
    return {
      script: summary(results.scripts),
      content: summary(results.contents),
      task: summary(results.tasks),
      search: { ratio: summary(results.many.map((time, round) => time / results.few[round])) },
      overview: summary(shown.first),
      next: summary(shown.next),
    };
  } finally {
    await browser.close();
  }
}

/** A service with one account, which is logged in. */
class Account {
  #browser;
  #deployment;
  #token;

  static async create(browser, extent, size) {
    const account = new Account();
    account.#browser = browser;
    account.#deployment = await Deployment.fill(extent, (store) => store.add(size));
    [account.#token] = account.#deployment.tokens([account.#deployment.filled]);
    const [url] = await account.#deployment.start();
    account.url = `${url}/console`;
    return account;
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
      // Resolves with the time at which a page with this heading is painted with all that it has read.
      globalThis.shown = (heading) =>
        new Promise((resolve) => {
          const look = () => {
            const { textContent } = globalThis.document.querySelector('h1') ?? {};
            const isWhole =
              textContent === heading && !globalThis.document.querySelector('[data-loading]');
            if (!isWhole) return void globalThis.requestAnimationFrame(look);
            // A task that is queued before a frame is painted runs when it is.
            const { port1, port2 } = new globalThis.MessageChannel();
            port1.onmessage = () => resolve(performance.now());
            port2.postMessage(null);
          };
          globalThis.requestAnimationFrame(look);
        });
    });
    await page.goto(this.url + address);
    return page;
  }

  end() {
    return this.#deployment.end();
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

/** The milliseconds until the overview is shown to a browser that has nothing yet, and those until each other page is. */
async function timesToPages(page) {
  const first = await page.evaluate(() => globalThis.shown('Overview'));
  const next = [];
  for (const name of PAGES) {
    await page.waitForLoadState('networkidle');
    const link = page.getByRole('navigation').getByRole('link', { name, exact: true });
    await link.hover();
    await sleep(HOVER);
    const shown = page.evaluate(async (heading) => {
      let clicked;
      const note = ({ timeStamp }) => (clicked = timeStamp);
      globalThis.addEventListener('click', note, { capture: true, once: true });
      return (await globalThis.shown(heading)) - clicked;
    }, name);
    await link.click();
    next.push(await shown);
  }
  await page.context().close();
  return { first, next };
}

/** The longest task of the main thread, while the list is read to its end; 0 if none took 50 ms. */
async function longestTask(page) {
  await page.getByRole('table').waitFor();
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
  await page.getByRole('table').waitFor();
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

import type { Locator, Page } from 'playwright-core';
import type { HttpCaller } from '../../test/http-caller.js';
import type { Developer } from '../../test/e2e/developer.js';
import { ConsoleUnderTest } from '../../test/console/console-under-test.js';
import { atMost, type Row, summary, value } from './row.js';
import { fill, LICENSES, ROUNDS } from './runs.js';

/** The overview, and the sidebar pages that list the account's records. */
const PAGES = ['Licenses', 'Customers', 'Plans', 'Events', 'Overview'];
/** In addition to the one with the licenses. */
const CLIENTS = LICENSES / 10;

/** The console in a browser, for an account with many licenses. */
export async function consolePages(): Promise<Row[]> {
  const tested = new ConsoleUnderTest();
  await tested.start();
  try {
    const vendor = await fill(tested.service, LICENSES);
    await addClients(tested.service, vendor);
    const measured = { first: [] as number[], slowest: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const page = await tested.newPage();
      await tested.logIn(page, vendor);
      measured.first.push(await timeToFirstPage(page, tested.url));
      const clicks = [];
      const inSidebar = (name: string) =>
        page.getByRole('navigation').getByRole('link', { name, exact: true });
      for (const name of PAGES) clicks.push(await timeToPage(page, inSidebar(name), name));
      // The newest license, and then the first customer by name.
      await inSidebar('Licenses').click();
      clicks.push(await timeToPage(page, rowLinks(page).first(), 'Web shop license'));
      await inSidebar('Customers').click();
      const byName = page.getByRole('button', { name: 'Name' });
      clicks.push(await timeToPage(page, byName, 'Customers', 'Acme Ltd'));
      clicks.push(await timeToPage(page, rowLinks(page).first(), 'Acme Ltd'));
      measured.slowest.push(Math.max(...clicks));
      await tested.closePages();
    }
    const { first, slowest } = measured;
    const amount = `${LICENSES} licenses`;
    return [
      value(`console: first page, empty cache, ${amount}`, atMost(600), 'ms', summary(first)),
      value(`console: slowest page after a click, ${amount}`, atMost(100), 'ms', summary(slowest)),
    ];
  } finally {
    await tested.stop();
  }
}

async function addClients(service: HttpCaller, vendor: Developer): Promise<void> {
  for (let added = 0; added < CLIENTS; added += 50) {
    const names = Array.from({ length: 50 }, (_, index) => `Customer ${added + index}`);
    await Promise.all(names.map((name) => service.createClient(vendor, { name })));
  }
}

const rowLinks = (page: Page) => page.getByRole('row').getByRole('link');

/** Milliseconds from opening the console until its overview is painted with all its data. */
async function timeToFirstPage(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate(async () => {
    const isWhole = () =>
      document.querySelector('h1')?.textContent === 'Overview' &&
      !document.querySelector('[data-loading]');
    while (!isWhole()) await new Promise((resolve) => requestAnimationFrame(resolve));
    // Since the navigation started.
    return performance.now();
  });
}

/** Milliseconds from a click until the page is painted with this heading, all its data and, if given, this first row. */
async function timeToPage(
  page: Page,
  link: Locator,
  heading: string,
  firstRow?: string,
): Promise<number> {
  await page.waitForLoadState('networkidle');
  // Hovering over a link preloads its page. A person takes longer than this to click.
  await link.hover();
  await page.waitForTimeout(100);
  const shown = page.evaluate(
    async ([name, row]) => {
      let clicked = 0;
      const note = ({ timeStamp }: Event) => (clicked = timeStamp);
      addEventListener('click', note, { capture: true, once: true });
      const isWhole = () =>
        document.querySelector('h1')?.textContent === name &&
        (row === undefined || document.querySelector('tbody a')?.textContent === row) &&
        !document.querySelector('[data-loading]');
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      while (!clicked || !isWhole()) await frame();
      // A task queued before a frame is painted runs once it has been painted.
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
      return performance.now() - clicked;
    },
    [heading, firstRow] as const,
  );
  await link.click();
  return shown;
}

import zlib from 'node:zlib';
import type { Page } from 'playwright-core';
import { ConsoleUnderTest } from '../../test/console/console-under-test.js';
import { atMost, type Row, summary, value } from './row.js';
import { fill, LICENSES, ROUNDS } from './runs.js';

/** The overview, and the sidebar pages that list the account's records. */
const PAGES = ['Licenses', 'Clients', 'Events', 'Overview'];

/** The console in a browser, for an account with many licenses. */
export async function consolePages(): Promise<Row[]> {
  const tested = new ConsoleUnderTest();
  await tested.start();
  try {
    const vendor = await fill(tested.service, LICENSES);
    const measured = { kilobytes: [] as number[], slowest: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      measured.kilobytes.push(await sizeOfFirstPage(await tested.newPage(), tested.url));
      const page = await tested.openAs(vendor);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      const clicks = [];
      for (const name of PAGES) clicks.push(await timeToPage(page, name));
      measured.slowest.push(Math.max(...clicks));
      await tested.closePages();
    }
    const { kilobytes, slowest } = measured;
    const clicked = `console: slowest page after a click, ${LICENSES} licenses`;
    return [
      value('console: script of the first page, gzipped', atMost(150), 'kB', summary(kilobytes)),
      value(clicked, atMost(100), 'ms', summary(slowest)),
    ];
  } finally {
    await tested.stop();
  }
}

/** Kilobytes of scripts that a browser with an empty cache loads for its first page. */
async function sizeOfFirstPage(page: Page, url: string): Promise<number> {
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body());
  });
  await page.goto(url);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const bytes = (await Promise.all(scripts)).map((script) => zlib.gzipSync(script).length);
  return bytes.reduce((sum, size) => sum + size, 0) / 1000;
}

/** Milliseconds from clicking a sidebar link until its page is painted with all its data. */
async function timeToPage(page: Page, name: string): Promise<number> {
  await page.waitForLoadState('networkidle');
  const link = page.getByRole('navigation').getByRole('link', { name, exact: true });
  // Hovering over a link preloads its page. A person takes longer than this to click.
  await link.hover();
  await page.waitForTimeout(100);
  const shown = page.evaluate(async (heading) => {
    let clicked = 0;
    const note = ({ timeStamp }: Event) => (clicked = timeStamp);
    addEventListener('click', note, { capture: true, once: true });
    const isWhole = () =>
      document.querySelector('h1')?.textContent === heading &&
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
  }, name);
  await link.click();
  return shown;
}

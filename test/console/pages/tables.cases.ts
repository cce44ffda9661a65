import { describeConsole } from '../console-under-test.js';
import { DELIVERIES } from '../deliveries.js';
import { createLongNames } from '../long-names.js';
import { problemsOf } from '../table-problems.js';

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
      await page
        .locator('main :is(tbody tr, pre)')
        .nth(rows - 1)
        .waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const found = await page.evaluate(problemsOf);
        problems.push(...found.map((problem) => `${path} at ${width} px: ${problem}`));
      }
    }
    expect(problems).toEqual([]);
  });
});

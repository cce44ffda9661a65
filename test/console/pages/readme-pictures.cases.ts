import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describeConsole } from '../console-under-test.js';
import { createSoftwareHouse, showPastActivations } from '../software-house.js';

/** The folder of the pictures; `npm run readme-pictures` sets that of the README. */
const { PICTURES = fs.mkdtempSync(path.join(os.tmpdir(), 'pictures-')) } = process.env;

const VIEWPORT = { width: 1280, height: 800 };

/** The largest size of a picture, in bytes: a reader of the README loads both. It varies by some kilobytes with keys and dates. */
const MAX_SIZE = 200_000;

describeConsole('The pictures of the README', (tested) => {
  it('show the overview in light and a license in dark, in less than 200 kB each', async () => {
    const { developer, license } = await createSoftwareHouse(tested);
    const page = await tested.openAs(developer, '', { viewport: VIEWPORT });
    await showPastActivations(page);
    for (const [name, address, text, colorScheme] of [
      ['overview', '', 'Expiring soon', 'light'],
      ['license', `/licenses/${license}`, 'Studio 1', 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(tested.url + address);
      await page.getByText(text).first().waitFor();
      await page.waitForLoadState('networkidle');
      const file = path.join(PICTURES, `${name}.png`);
      await page.screenshot({ path: file });
      expect(fs.statSync(file).size).toBeLessThan(MAX_SIZE);
    }
  });
});

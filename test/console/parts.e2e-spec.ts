import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../bench/lib/find-chromium.mjs';
import { describeInFull } from '../scope.js';
import { violationsOf } from './accessibility.js';

const VITE = path.join('node_modules', 'vite', 'bin', 'vite.js');
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

const describeHere = findChromium(process.env) === undefined ? describe.skip : describeInFull;

describeHere('The page of the parts of the console', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'console-parts-'));
  const server = http.createServer(({ url }, response) => {
    const file = path.join(folder, url === '/' ? 'index.html' : String(url));
    response.setHeader('Content-Type', TYPES[path.extname(file)] ?? 'text/plain');
    if (fs.existsSync(file)) fs.createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  });
  let browser: Browser;

  beforeAll(async () => {
    const options = ['--outDir', folder, '--logLevel', 'error'];
    execFileSync(process.execPath, [VITE, 'build', 'console/dev', ...options]);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await chromium.launch({
      executablePath: String(findChromium(process.env)),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
  });

  afterAll(async () => {
    await browser.close();
    server.close();
    fs.rmSync(folder, { recursive: true });
  });

  it('shows each part, opens its dialogs and menus, and has nothing that WCAG 2.2 AA rejects, light and dark', async () => {
    const page = await browser.newPage();
    const failures: string[] = [];
    page.on('pageerror', ({ message }) => failures.push(message));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.getByRole('heading', { name: 'A table that has failed' }).waitFor();
    const open = [
      async () => undefined,
      async () => {
        await page.getByRole('button', { name: 'Confirm' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
        await page.getByText('There is no service').waitFor();
      },
      async () => {
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'More', exact: true }).click();
        await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
      },
    ];
    for (const step of open) {
      await step();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        failures.push(...(await violationsOf(page, colorScheme)));
      }
    }
    expect(failures).toEqual([]);
  });

  it('is not in the build', () => {
    const folderOfBuild = 'dist/console-app';
    const built = fs.readdirSync(folderOfBuild, { recursive: true, withFileTypes: true });
    const texts = built
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => fs.readFileSync(path.join(parentPath, name), 'utf8'));
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.includes('Parts of the console'))).toEqual([]);
  });
});

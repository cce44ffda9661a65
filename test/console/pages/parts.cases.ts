import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { problemsIn, VIEWS } from '../accessibility.js';
import { describeConsole } from '../console-under-test.js';

const VITE = path.join('node_modules', 'vite', 'bin', 'vite.js');
const ADDRESS = 'https://parts.example/';

describeConsole('The page of the parts of the console', (tested) => {
  it('shows each part, opens its dialogs and menus, and has nothing that WCAG 2.2 AA rejects, light and dark, at 1280 and 320 px', async () => {
    const folder = tested.path('parts');
    const options = ['--outDir', folder, '--logLevel', 'error'];
    execFileSync(process.execPath, [VITE, 'build', 'console/dev', ...options]);
    const page = await tested.newPage();
    await page.route(`${ADDRESS}**`, (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ path: path.join(folder, pathname === '/' ? 'index.html' : pathname) });
    });
    await page.goto(ADDRESS);
    await page.getByRole('heading', { name: 'A table that has failed' }).waitFor();
    const problems: string[] = [];
    const check = async () => {
      for (const view of VIEWS) problems.push(...(await problemsIn(view, page)));
    };
    await check();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('There is no service').waitFor();
    await check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor();
    await check();
    expect(problems).toEqual([]);
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

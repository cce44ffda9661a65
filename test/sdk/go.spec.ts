import fs from 'node:fs';
import path from 'node:path';
import { describeIf, run } from './commands.js';
import { hasGo } from './go.js';
import { itIsLicensed } from './readme-program.js';
import { readmeOf } from './readme.js';

const SDK = path.resolve('sdk/go');
jest.setTimeout(600_000);

describeIf(hasGo)('The Go SDK', () => {
  it('passes its own tests and the checks of Go, and needs no other module', async () => {
    const go = async (...args: string[]) => (await run('go', args, { cwd: SDK })).stdout;
    await go('vet', './...');
    expect((await run('gofmt', ['-l', SDK])).stdout).toBe('');
    expect(await go('list', '-m', 'all')).toBe('licenses.example/licenseclient\n');
    expect(await go('test', '-timeout=5m', './...')).toMatch(/^ok/);
  });

  describe('the program of its README', () => {
    const [, setUp] = /```sh\n(go mod[^`]+)```/.exec(readmeOf('go'))!;

    itIsLicensed('go', async (folder, text) => {
      if (!fs.existsSync(path.join(folder, 'go.mod'))) {
        const env = { ...process.env, CHECKOUT: process.cwd() };
        await run('sh', ['-euc', setUp!], { cwd: folder, env });
      }
      fs.writeFileSync(path.join(folder, 'main.go'), text);
      await run('go', ['build', '-o', 'web-shop', '.'], { cwd: folder });
      return [path.join(folder, 'web-shop')];
    });
  });
});

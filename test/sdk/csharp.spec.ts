import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { active, ISSUER, NOWHERE, withCustomer } from './customer.js';
import { buildProgram, hasMono } from './csharp.js';
import { FINGERPRINT, PRODUCT } from './issuer.js';
import { itIsLicensed } from './readme-program.js';
import { environmentOf, requestOf } from './web-shop.js';

const run = promisify(execFile);
jest.setTimeout(600_000);

(hasMono ? describe : describe.skip)('The C# SDK', () => {
  it('licenses its example at its first start, and while the service is down', () =>
    withCustomer(async (customer) => {
      const program = buildProgram('examples/shipped-software/csharp/WebShop.cs');
      // The clock of its library is that of the tests: it stands still in 1970.
      const service = await customer.script(active({ ...requestOf(customer), issuedAt: 0 }));
      const start = (address: string) =>
        run('mono', [program], { env: environmentOf(customer, address) });
      await expect(start(NOWHERE)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^The license service cannot.+\nNot licensed: none/,
        ) as string,
      });
      for (const address of [service.url, NOWHERE]) {
        expect((await start(address)).stdout).toBe(
          'Licensed until 1970-01-08T00:00:00.000Z for Hosting.\n',
        );
      }
      expect(service.paths).toEqual(['/validate']);
    }));

  it('reports to a program that keeps its license fresh, whatever its callback throws', () =>
    withCustomer(async (customer) => {
      const program = buildProgram('sdk/csharp/tests/KeepFreshTest.cs');
      const args = [customer.folder, ISSUER.id, PRODUCT, JSON.stringify(ISSUER.jwk), FINGERPRINT];
      expect((await run('mono', [program, ...args])).stdout).toBe('none\n');
    }));

  describe('the program of its README', () => {
    let folder: string;
    beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-readme-'))));
    afterEach(() => fs.rmSync(folder, { recursive: true }));

    function build(text: string): string[] {
      const file = path.join(folder, 'ReadmeShop.cs');
      fs.writeFileSync(file, text);
      return ['mono', buildProgram(file)];
    }

    // The clock of the library stands still in 1970.
    itIsLicensed('csharp', { build, now: 0 });
  });
});

import fs from 'node:fs';
import path from 'node:path';
import { describeIf, run } from './commands.js';
import { useCustomer } from './customer.js';
import { buildProgram, hasMono } from './csharp.js';
import { CURRENT, FINGERPRINT, ISSUER, PRODUCT } from './issuer.js';
import { itIsLicensed } from './readme-program.js';

jest.setTimeout(600_000);

describeIf(hasMono)('The C# SDK', () => {
  const customer = useCustomer();

  it('reports to a program that keeps its license fresh, whatever its callback throws', async () => {
    const program = buildProgram('sdk/csharp/tests/KeepFreshTest.cs');
    const args = [customer.folder, ISSUER, PRODUCT, JSON.stringify(CURRENT.jwk), FINGERPRINT];
    expect((await run('mono', [program, ...args])).stdout).toBe('none\n');
  });

  describe('the program of its README', () => {
    // The clock of the library stands still in 1970.
    itIsLicensed(
      'csharp',
      (folder, text) => {
        const file = path.join(folder, 'ReadmeShop.cs');
        fs.writeFileSync(file, text);
        return ['mono', buildProgram(file)];
      },
      0,
    );
  });
});

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { withCustomer } from './customer.js';
import { describeWithPython, installPython } from './python.js';

const run = promisify(execFile);
jest.setTimeout(600_000);
const REQUEST = `
import json, sys
from license_management_client import License
print(License(**json.loads(sys.argv[1])).request())
`;

describeWithPython('The Python SDK', () => {
  it('passes its own tests, and skips none', async () => {
    const { stderr } = await run(installPython(), ['-m', 'unittest'], {
      cwd: 'sdk/python/tests',
    });
    expect(stderr).toMatch(/\nRan \d{2,3} tests in .+\n\nOK\n$/);
  });

  it('derives the fingerprint of this machine as the Node SDK does', () =>
    withCustomer(async (customer) => {
      const { service, issuer, product, keys, folder } = customer.options;
      const options = { service, issuer, product, keys, folder };
      const env = { ...process.env, PYTHONPATH: path.resolve('sdk/python/src') };
      const args = ['-c', REQUEST, JSON.stringify(options)];
      const { stdout } = await run(installPython(), args, { env });
      expect(stdout.trim()).toBe(customer.license({ fingerprint: undefined }).request());
    }));
});

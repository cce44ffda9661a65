import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { CERTIFICATE_MESSAGES, CONTACT_MESSAGES } from '../../sdk/node/src/license-error.js';
import { reportMissingPython } from './missing-python.js';
import { type Customer, ISSUER, withCustomer } from './customer.js';
import { describeWithPython, hasPython, installPython } from './python.js';

const run = promisify(execFile);
const TIMEOUT_MS = 600_000;

// Only here: one line, or one failure, is enough for all the tests of the SDK.
if (!hasPython) reportMissingPython(process.env);

/** Installs a certificate if there is one, and prints the state, and the request for a certificate. */
const PROGRAM = `
import json, sys
from license_management_client import License
now, certificate, options = json.loads(sys.argv[1])
license = License(now=lambda: now, **options)
if certificate is not None:
    license.install(certificate)
print(json.dumps([license.status().state, license.request()]))
`;

async function runPython(customer: Customer, certificate: string | null, options = {}) {
  const { service, issuer, product, keys, folder, fingerprint } = customer.options;
  const all = { service, issuer, product, keys, folder, fingerprint, ...options };
  const input = JSON.stringify([customer.now, certificate, all]);
  const env = { ...process.env, PYTHONPATH: path.resolve('sdk/python/src') };
  const { stdout } = await run(installPython(), ['-c', PROGRAM, input], { env });
  const [state, request] = JSON.parse(stdout) as [string, string];
  return { state, request };
}

describeWithPython('The Python SDK', () => {
  it(
    'passes its own tests, of S15 and R11 too, and skips none',
    async () => {
      const { stderr } = await run(installPython(), ['-m', 'unittest'], {
        cwd: 'sdk/python/tests',
      });
      expect(stderr).toMatch(/\nRan \d{3} tests in .+\n\nOK\n$/);
    },
    TIMEOUT_MS,
  );

  it(
    'has the state file of the Node SDK',
    () =>
      withCustomer(async (customer) => {
        const certificate = ISSUER.certificate();
        customer.license().install(certificate);
        const { state } = customer;
        expect(await runPython(customer, null)).toMatchObject({ state: 'valid' });
        const other = { fingerprint: 'the fingerprint of another one' };
        expect(await runPython(customer, null, other)).toMatchObject({ state: 'other_machine' });

        customer.license().forget();
        expect(await runPython(customer, certificate)).toMatchObject({ state: 'valid' });
        expect(customer.state).toEqual(state);
        expect(customer.license().status()).toMatchObject({ state: 'valid' });
      }),
    TIMEOUT_MS,
  );

  it(
    'has the messages of the Node SDK',
    async () => {
      const program = `
import json
from license_management_client.errors import CERTIFICATE_MESSAGES, CONTACT_MESSAGES
print(json.dumps([CONTACT_MESSAGES, CERTIFICATE_MESSAGES]))
`;
      const env = { ...process.env, PYTHONPATH: path.resolve('sdk/python/src') };
      const { stdout } = await run(installPython(), ['-c', program], { env });
      expect(JSON.parse(stdout)).toEqual([CONTACT_MESSAGES, CERTIFICATE_MESSAGES]);
    },
    TIMEOUT_MS,
  );

  it(
    'requests certificates as the Node SDK does, with the same derived fingerprint',
    () =>
      withCustomer(async (customer) => {
        for (const options of [{}, { fingerprint: undefined }]) {
          const request = customer.license(options).request();
          expect(await runPython(customer, null, options)).toMatchObject({ request });
        }
      }),
    TIMEOUT_MS,
  );
});

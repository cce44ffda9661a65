import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { CERTIFICATE_MESSAGES, CONTACT_MESSAGES } from '../../sdk/node/src/license-error.js';
import { License } from '../../sdk/node/src/license.js';
import type { LicenseOptions } from '../../sdk/node/src/options.js';
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

function messageOf(options: object): string {
  try {
    new License(options as LicenseOptions);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The options are accepted.');
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
    'rejects a wrong option with the message of the Node SDK',
    () =>
      withCustomer(async (customer) => {
        const { service, issuer, product, keys, folder } = customer.options;
        const options = { service, issuer, product, keys, folder };
        const wrong = [
          ...['service', 'issuer', 'product', 'folder', 'fingerprint', 'keys', 'retries'].map(
            (name) => ({ [name]: 1 }),
          ),
          ...[1, ISSUER.privateJwk, { ...ISSUER.jwk, kty: 'EC' }, { ...ISSUER.jwk, x: '' }].map(
            (key) => ({ keys: [key] }),
          ),
          { keys: [ISSUER.jwk, ISSUER.jwk] },
        ];
        const program = `
import json, sys
from license_management_client import License, LicenseError
messages = []
for options in json.loads(sys.argv[1]):
    try:
        License(**options)
    except LicenseError as error:
        messages.append(error.message)
print(json.dumps(messages))
`;
        const cases = wrong.map((change) => ({ ...options, ...change }));
        const env = { ...process.env, PYTHONPATH: path.resolve('sdk/python/src') };
        const args = ['-c', program, JSON.stringify(cases)];
        const { stdout } = await run(installPython(), args, { env });
        expect(JSON.parse(stdout)).toEqual(cases.map(messageOf));
      }),
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

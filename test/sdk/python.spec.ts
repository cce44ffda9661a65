import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { CERTIFICATE_MESSAGES, CONTACT_MESSAGES } from '../../sdk/node/src/license-error.js';
import { License } from '../../sdk/node/src/license.js';
import type { LicenseOptions } from '../../sdk/node/src/options.js';
import { reportMissingTool } from '../set-up/missing-tool.js';
import { type Customer, ISSUER, withCustomer } from './customer.js';
import { describeWithPython, hasPython, installPython } from './python.js';

const run = promisify(execFile);
const TIMEOUT_MS = 600_000;
const MISSING =
  'No python3 of version 3.9 or newer with venv was found, so the tests of Python programs cannot run.';

// Only here: one line, or one failure, is enough for all the tests of the SDK.
if (!hasPython) reportMissingTool(MISSING, process.env);

/** Installs a certificate if there is one, and prints the state, and the request for a certificate. */
const STATE_AND_REQUEST = `
now, certificate, options = given
license = License(now=lambda: now, **options)
if certificate is not None:
    license.install(certificate)
print(json.dumps([license.status().state, license.request()]))
`;

const MESSAGES = `
messages = []
for options in given:
    try:
        License(**options)
    except LicenseError as error:
        messages.append(error.message)
print(json.dumps([CONTACT_MESSAGES, CERTIFICATE_MESSAGES, messages]))
`;

/** The JSON that a program prints, which has the SDK and a value. */
async function printedBy(program: string, given: unknown): Promise<unknown> {
  const head = `
import json, sys
from license_management_client import License, LicenseError
from license_management_client.errors import CERTIFICATE_MESSAGES, CONTACT_MESSAGES
given = json.loads(sys.argv[1])
`;
  const env = { ...process.env, PYTHONPATH: path.resolve('sdk/python/src') };
  const args = ['-c', head + program, JSON.stringify(given)];
  return JSON.parse((await run(installPython(), args, { env })).stdout);
}

async function runPython(customer: Customer, certificate: string | null, options = {}) {
  const { service, issuer, product, keys, folder, fingerprint } = customer.options;
  const all = { service, issuer, product, keys, folder, fingerprint, ...options };
  const printed = await printedBy(STATE_AND_REQUEST, [customer.now, certificate, all]);
  const [state, request] = printed as [string, string];
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
    'has the messages of the Node SDK, for wrong options too',
    () =>
      withCustomer(async (customer) => {
        const { service, issuer, product, keys, folder } = customer.options;
        const names = ['service', 'issuer', 'product', 'folder', 'fingerprint', 'keys', 'retries'];
        const wrong = [1, ISSUER.privateJwk, { ...ISSUER.jwk, x: '' }].map((key) => [key]);
        const cases = [
          ...names.map((name) => ({ [name]: 1 })),
          ...[...wrong, [ISSUER.jwk, ISSUER.jwk]].map((list) => ({ keys: list })),
        ].map((change) => ({ service, issuer, product, keys, folder, ...change }));
        const messages = [CONTACT_MESSAGES, CERTIFICATE_MESSAGES, cases.map(messageOf)];
        expect(await printedBy(MESSAGES, cases)).toEqual(messages);
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

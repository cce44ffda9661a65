import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describeInFull } from '../scope.js';
import { reportMissingTool } from '../set-up/missing-tool.js';
import { active, ISSUER, NOWHERE, withCustomer } from './customer.js';
import { hasCommand } from './has-command.js';
import { FINGERPRINT, NOW, PRODUCT } from './issuer.js';
import { cargo, hasRust, LIBRARY, TARGET } from './rust.js';
import { environmentOf, requestOf } from './web-shop.js';

const run = promisify(execFile);
const TIMEOUT_MS = 600_000;
const SANITIZED = '-g -fsanitize=address,undefined -fno-sanitize-recover=all';

const isComplete = hasRust && ['cmake', 'g++', 'valgrind'].every(hasCommand);
if (!isComplete) {
  const sentence = 'The C ABI of the SDKs is not tested without cargo, cmake, g++ and valgrind.';
  reportMissingTool(sentence, process.env);
}

(isComplete ? describeInFull : describe.skip)('The C ABI', () => {
  let folder: string;
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-c-'));
    cargo('build', LIBRARY);
    build('static', '.a');
    build('shared', '.so');
    build('sanitized', '.a', `-DCMAKE_C_FLAGS=${SANITIZED}`, `-DCMAKE_CXX_FLAGS=${SANITIZED}`);
  }, TIMEOUT_MS);
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  function build(kind: string, suffix: string, ...definitions: string[]): void {
    const library = path.join(TARGET, `debug/liblicense_management_client${suffix}`);
    const options = [`-DLICENSE_MANAGEMENT_CLIENT_LIBRARY=${library}`, ...definitions];
    execFileSync('cmake', ['-S', 'sdk/c', '-B', path.join(folder, kind), ...options]);
    execFileSync('cmake', ['--build', path.join(folder, kind)]);
  }

  it.each([
    ['the static library', 'static'],
    ['the shared library', 'shared'],
    ['the sanitizers of addresses and undefined behaviour', 'sanitized'],
    ['valgrind', 'static', 'valgrind', '--quiet', '--leak-check=full', '--error-exitcode=9'],
  ])(
    'passes its test with %s',
    (_name, kind, ...checker) =>
      withCustomer(async (customer) => {
        const issued = { days: 30, entitlements: ['sso'] };
        const program = [path.join(folder, kind, 'abi-test'), customer.folder, ISSUER.id, PRODUCT];
        const [first, ...rest] = [
          ...checker,
          // Of the thread that the standard library of Rust notes for the main thread, only an inner pointer is left.
          ...(checker.length > 0 ? ['--errors-for-leak-kinds=definite,indirect'] : []),
          ...program,
          ...[JSON.stringify(ISSUER.jwk), FINGERPRINT, ISSUER.certificate(issued)],
          ...['Hosting', 'sso', String(NOW)],
        ];
        const { stdout } = await run(first!, rest, { env: { ...process.env, no_proxy: '*' } });
        expect(stdout).toBe('passed\n');
      }),
    TIMEOUT_MS,
  );

  it(
    'has the header that cbindgen writes',
    () => {
      expect(cargo('test', LIBRARY)).toMatch(/test result: ok\. 1 passed/);
    },
    TIMEOUT_MS,
  );

  it.each(['web-shop-c', 'web-shop-cpp'])(
    'licenses the example %s at its first start, and while the service is down',
    (name) =>
      withCustomer(async (customer) => {
        // The clock of its library is that of the tests: it stands still in 1970.
        const service = await customer.script(active({ ...requestOf(customer), issuedAt: 0 }));
        const start = (address: string) =>
          run(path.join(folder, 'sanitized', name), { env: environmentOf(customer, address) });
        await expect(start(NOWHERE)).rejects.toMatchObject({
          code: 1,
          stderr: expect.stringMatching(
            /^The license service cannot.+\nNot licensed: none/,
          ) as string,
        });
        for (const address of [service.url, NOWHERE]) {
          expect((await start(address)).stdout).toMatch(
            /^Licensed until 1970-.+ for Hosting.*\.\n$/,
          );
        }
        expect(service.paths).toEqual(['/validate']);
      }),
    TIMEOUT_MS,
  );
});

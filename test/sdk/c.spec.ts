import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describeIf, hasCommand, readmeOf, run } from './commands.js';
import { reportMissingTool } from '../set-up/missing-tool.js';
import { useCustomer } from './customer.js';
import { CURRENT, FINGERPRINT, issueCertificate, ISSUER, NOW, PRODUCT } from './issuer.js';
import { itIsLicensed } from './readme-program.js';
import { cargo, hasRust, installCbindgen, LIBRARY, TARGET } from './languages.js';

jest.setTimeout(600_000);
const WARNINGS = '-Wall -Wextra -Wpedantic -Werror';
const VALGRIND = [
  ...['valgrind', '--quiet', '--leak-check=full', '--error-exitcode=9'],
  '--errors-for-leak-kinds=definite,indirect',
];
const SANITIZERS = '-g -fsanitize=address,undefined -fno-sanitize-recover=all';

const isComplete = hasRust && ['cmake', 'g++', 'valgrind'].every(hasCommand);
if (!isComplete) {
  const sentence = 'The C ABI of the SDKs is not tested without cargo, cmake, g++ and valgrind.';
  reportMissingTool(sentence, process.env);
}

describeIf(isComplete)('The C ABI', () => {
  const customer = useCustomer();
  /** In the run's temporary folder. */
  const folder = path.join(os.tmpdir(), 'license-c');
  beforeAll(() => {
    cargo('build', LIBRARY);
    build('shared', 'sdk/c/tests', '.so');
    build('static', 'sdk/c/tests', '.a', SANITIZERS);
  });

  function build(name: string, source: string, suffix: string, flags = ''): void {
    const library = path.join(TARGET, `debug/liblicense_management_client${suffix}`);
    const definitions = [
      `-DLICENSE_MANAGEMENT_CLIENT_LIBRARY=${library}`,
      `-DCMAKE_C_FLAGS=-std=c11 ${WARNINGS} ${flags}`,
      `-DCMAKE_CXX_FLAGS=${WARNINGS} ${flags}`,
    ];
    execFileSync('cmake', ['-S', source, '-B', path.join(folder, name), ...definitions]);
    execFileSync('cmake', ['--build', path.join(folder, name)]);
  }

  it.each([
    ['the static library, with the address and undefined-behavior sanitizers', 'static'],
    // Rust's standard library keeps only an inner pointer to the main thread's handle.
    ['the shared library, in valgrind', 'shared', ...VALGRIND],
  ])('passes its test with %s', async (_name, kind, ...checker) => {
    const updatesUntil = '2027-01-31T00:00:00.000Z';
    const facts = { licensee: 'Acme GmbH', plan: 'Pro', updatesUntil };
    const issued = { days: 30, entitlements: ['sso'], facts };
    const [first, ...rest] = [
      ...checker,
      ...[path.join(folder, kind, 'abi-test'), customer.folder, ISSUER, PRODUCT],
      ...[JSON.stringify(CURRENT.jwk), FINGERPRINT, issueCertificate(issued)],
      ...['Hosting', 'sso', String(NOW)],
    ];
    const { stdout } = await run(first!, rest, { env: { ...process.env, no_proxy: '*' } });
    expect(stdout).toBe('passed\n');
  });

  // With WRITE_HEADER=1, the test writes the header.
  it('has the header that cbindgen generates, with safety notes only at its top', () => {
    const header = 'sdk/c/include/license_management_client.h';
    const args = ['--quiet', '--config', 'cbindgen.toml'];
    const generated = execFileSync(installCbindgen(), args, { cwd: 'sdk/c', encoding: 'utf8' });
    const text = generated.replaceAll(/\/\/\n\/\/ # Safety\n(?:\/\/.*\n)*/g, '');
    if (process.env.WRITE_HEADER) fs.writeFileSync(header, text);
    expect(fs.readFileSync(header, 'utf8')).toBe(text);
  });

  const [, project] = /```cmake\n(cmake_minimum_required[^`]+)```/.exec(readmeOf('c'))!;
  describe.each([
    ['c', 'web_shop.c'],
    ['cpp', 'web_shop.cpp'],
  ] as const)('in %s', (language, file) => {
    itIsLicensed(language, (source, text) => {
      fs.symlinkSync(process.cwd(), path.join(source, 'license-management-service'));
      fs.writeFileSync(path.join(source, 'CMakeLists.txt'), project!.replace('web_shop.c', file));
      fs.writeFileSync(path.join(source, file), text);
      build(`${language}-of-readme`, source, '.a', SANITIZERS);
      return [path.join(folder, `${language}-of-readme`, 'web-shop')];
    });
  });
});

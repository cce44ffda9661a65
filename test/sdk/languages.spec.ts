import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { useFolder } from '../use-folder.js';
import { describeIf, readmeOf, run } from './commands.js';
import {
  buildProgram,
  cargo,
  CLIENT,
  clippy,
  hasJava,
  hasMono,
  hasRust,
  javaClasses,
  LIBRARY,
} from './languages.js';
import { useCustomer } from './customer.js';
import { CURRENT, FINGERPRINT, ISSUER, PRODUCT } from './issuer.js';
import { goRunner, hasGo } from './go.js';
import { hasPython, installPython } from './python.js';
import { itIsLicensed } from './readme-program.js';

jest.setTimeout(600_000);

describeIf(hasPython)('The Python SDK', () => {
  it('passes its own tests, and skips none', async () => {
    const args = ['-m', 'unittest'];
    const { stderr } = await run(installPython(), args, { cwd: 'sdk/python/tests' });
    expect(stderr).toMatch(/\nRan \d{2,3} tests in .+\n\nOK\n$/);
  });
});

describeIf(hasGo)('The Go SDK', () => {
  it("passes its own tests and Go's checks, and needs no other module", async () => {
    const go = async (...args: string[]) => (await run('go', args, { cwd: 'sdk/go' })).stdout;
    await go('vet', './...');
    expect((await run('gofmt', ['-l', 'sdk/go'])).stdout).toBe('');
    expect(await go('list', '-m', 'all')).toBe('licenses.example/licenseclient\n');
    // The set-up has compiled them.
    const { stdout } = await run(goRunner(), ['-test.timeout=5m'], { cwd: 'sdk/go' });
    expect(stdout).toBe('PASS\n');
  });

  const [, setUp] = /```sh\n(go mod[^`]+)```/.exec(readmeOf('go'))!;
  itIsLicensed('go', async (folder, text) => {
    const env = { ...process.env, CHECKOUT: process.cwd() };
    await run('sh', ['-euc', setUp!], { cwd: folder, env });
    fs.writeFileSync(path.join(folder, 'main.go'), text);
    await run('go', ['build', '-o', 'web-shop', '.'], { cwd: folder });
    return [path.join(folder, 'web-shop')];
  });
});

describeIf(hasJava)('The Java SDK', () => {
  const folder = useFolder();

  it('passes its own tests, including seeded mutations of certificates, and skips none', async () => {
    // A copy, so that no build output gets into the checkout.
    for (const name of ['java/pom.xml', 'java/src', 'vectors.json']) {
      fs.cpSync(path.join('sdk', name), folder(name), { recursive: true });
    }
    const args = ['-B', '-Dstyle.color=never', 'test'];
    const { stdout } = await run('mvn', args, { cwd: folder('java') });
    expect(stdout).toMatch(/Tests run: \d{2}, Failures: 0, Errors: 0, Skipped: 0\n/);
  });

  itIsLicensed('java', (source, text) => {
    const file = path.join(source, 'WebShop.java');
    fs.writeFileSync(file, text);
    return ['java', '-cp', javaClasses(), file];
  });
});

describeIf(hasRust)('The Rust SDK and its C ABI', () => {
  it('pass their own tests, including S15, and skip none', () => {
    const printed = cargo('test', CLIENT);
    const results = printed.match(/^test result: .+/gm) ?? [];
    expect(results.length).toBeGreaterThanOrEqual(2);
    for (const result of results) {
      expect(result).toMatch(/: ok\. \d+ passed; 0 failed; 0 ignored; 0 measured; 0 filtered out/);
    }
  });

  it('are formatted and have no warnings, with and without HTTP support', () => {
    execFileSync('cargo', ['fmt', '--all', '--check'], { cwd: 'sdk' });
    // Without HTTPS, which is one call: it would mean compiling a TLS library.
    for (const options of [LIBRARY, [...CLIENT, '--all-targets'], CLIENT.slice(0, 3)]) {
      expect(clippy(options)).toBe('');
    }
  });
});

describeIf(hasMono)('The C# SDK', () => {
  const customer = useCustomer();

  it('reports to a program that keeps its license fresh, whatever its callback throws', async () => {
    const program = buildProgram('sdk/csharp/tests/KeepFreshTest.cs');
    const args = [customer.folder, ISSUER, PRODUCT, JSON.stringify(CURRENT.jwk), FINGERPRINT];
    expect((await run('mono', [program, ...args])).stdout).toBe('none\n');
  });

  itIsLicensed('csharp', (folder, text) => {
    const file = path.join(folder, 'ReadmeShop.cs');
    fs.writeFileSync(file, text);
    return ['mono', buildProgram(file)];
  });
});

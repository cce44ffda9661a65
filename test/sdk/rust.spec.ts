import { execFileSync } from 'node:child_process';
import { describeIf } from './commands.js';
import { cargo, CLIENT, hasRust, LIBRARY } from './rust.js';

jest.setTimeout(600_000);

describeIf(hasRust)('The Rust SDK and its C ABI', () => {
  it('pass their own tests, of S15 too, and skip none', () => {
    const printed = cargo('test', CLIENT);
    const results = printed.match(/^test result: .+/gm) ?? [];
    expect(results.length).toBeGreaterThanOrEqual(2);
    for (const result of results) {
      expect(result).toMatch(/: ok\. \d+ passed; 0 failed; 0 ignored; 0 measured; 0 filtered out/);
    }
  });

  it('are formatted and have no warnings, with requests and without', () => {
    execFileSync('cargo', ['fmt', '--all', '--check'], { cwd: 'sdk' });
    const strict = ['--', '--deny', 'warnings'];
    // Without HTTPS, which is one call: a TLS library would be compiled once more.
    cargo('clippy', [...LIBRARY, ...strict]);
    // Not the test of the header, for which cbindgen would be compiled once more.
    cargo('clippy', [...CLIENT, '--all-targets', ...strict]);
    cargo('clippy', [...CLIENT.slice(0, 3), ...strict]);
  });
});

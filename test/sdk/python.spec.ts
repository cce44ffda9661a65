import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describeWithPython, installPython } from './python.js';

const run = promisify(execFile);
jest.setTimeout(600_000);

describeWithPython('The Python SDK', () => {
  it('passes its own tests, and skips none', async () => {
    const { stderr } = await run(installPython(), ['-m', 'unittest'], {
      cwd: 'sdk/python/tests',
    });
    expect(stderr).toMatch(/\nRan \d{2,3} tests in .+\n\nOK\n$/);
  });
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { reportMissingPython } from '../examples/missing-python.js';
import { describeWithPython, hasPython, installPython } from './python.js';

const run = promisify(execFile);
const TIMEOUT_MS = 600_000;

// Only here: one line, or one failure, is enough for all the tests of the SDK.
if (!hasPython) reportMissingPython(process.env);

describeWithPython('The Python SDK', () => {
  it(
    'passes its own tests, and skips none',
    async () => {
      const { stderr } = await run(installPython(), ['-m', 'unittest'], {
        cwd: 'sdk/python/tests',
      });
      expect(stderr).toMatch(/\nRan \d{3} tests in .+\n\nOK\n$/);
    },
    TIMEOUT_MS,
  );
});

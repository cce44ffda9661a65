import { describeIf, run } from './commands.js';
import { hasPython, installPython } from './python.js';

jest.setTimeout(600_000);

describeIf(hasPython)('The Python SDK', () => {
  it('passes its own tests, and skips none', async () => {
    const { stderr } = await run(installPython(), ['-m', 'unittest'], {
      cwd: 'sdk/python/tests',
    });
    expect(stderr).toMatch(/\nRan \d{2,3} tests in .+\n\nOK\n$/);
  });
});

import fs from 'node:fs';
import { casesInScope } from '../scope.js';
import { Operator } from './operator.js';

const EXAMPLE = /^## From an account to an activated license\n[^]*?^```sh\n([^]*?)^```$/m;

describe("README's example from an account to an activated license", () => {
  const operator = new Operator();
  let example: string;

  beforeAll(async () => {
    const service = await operator.start();
    const [, text] = EXAMPLE.exec(fs.readFileSync('README.md', 'utf8')) ?? [];
    const { port } = new URL(service.url);
    example = String(text).replace(/^(SERVICE=http:\/\/127\.0\.0\.1):3000$/m, `$1:${port}`);
    expect(example).toContain(`SERVICE=${service.url}\n`);
  });
  afterAll(() => operator.leave());

  it.each(
    casesInScope<[string, string, string[], number]>([
      ['twice into a strict bash', 'bash', ['-eu', '-o', 'pipefail'], 2],
      ['into the plain shell', 'sh', ['-e'], 1],
    ]),
  )('works when it is pasted %s', async (_case, shell, options, times) => {
    // Its e-mail addresses contain the current second, so each run needs a new one.
    const pasted = `sleep 1\n${example}`.repeat(times);
    const { code, stdout, stderr } = await operator.run(shell, options, pasted);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const meanings = stdout.trim().split('\n').map(meaningOf);
    expect(meanings).toEqual(Array(times).fill(['key', 'activated', 'valid']).flat());
  });
});

function meaningOf(line: string): string {
  if (/^LIC-[0-9a-f]{24}(-[0-9A-Z]{4}){3}$/.test(line)) return 'key';
  const { success, valid } = JSON.parse(line) as { success?: boolean; valid?: boolean };
  return success === true ? 'activated' : valid === true ? 'valid' : line;
}

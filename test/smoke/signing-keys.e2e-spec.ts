import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { decryptSigningKeys } from '../../src/cli/signing-keys-file.js';
import { NO_LIMITS } from '../no-limits.js';
import { expectOneSentence } from './one-sentence.js';
import { Operator } from './operator.js';

const PROGRAM = path.resolve('dist/cli/signing-keys.js');
const PASSPHRASE = 'a passphrase of the operator';

/** Debian's smallest images have no `ps`. A process may end while it is listed. */
const LIST_PROCESSES = '(ps -Aww -o args || cat /proc/[0-9]*/cmdline || true) 2>/dev/null';

/** The command lines of all processes, again and again until the work is done. */
async function processListingsUntil(work: Promise<unknown>): Promise<string> {
  const listings: string[] = [];
  let isDone = false;
  void work.finally(() => (isDone = true));
  while (!isDone) {
    listings.push(execFileSync('sh', ['-c', LIST_PROCESSES], { encoding: 'utf8' }));
    await new Promise(setImmediate);
  }
  return listings.join('\n');
}

describe('npm run signing-keys', () => {
  const operators = [new Operator(NO_LIMITS), new Operator(NO_LIMITS)] as const;
  afterAll(() => Promise.all(operators.map((operator) => operator.leave())));

  const run = (operator: Operator, args: string[], input = PASSPHRASE) =>
    operator.run(process.execPath, [PROGRAM, ...args], `${input}\n`);

  it('S17, S22: carries keys to another store while both services run, and shows no secret', async () => {
    const [from, to] = operators;
    const file = from.path('keys.json');
    const [source, target] = [await from.start(), await to.start()];
    const [ada, eve] = [await source.register(), await target.register()];
    const { body: keys } = await source.get('/signing-keys', ada);

    const exported = await run(from, ['export', ada.email, file]);
    const importing = run(to, ['import', eve.email, file]);
    const listed = await processListingsUntil(importing);
    const imported = await importing;
    expect([exported, imported]).toEqual([
      expect.objectContaining({ code: 0, stdout: expect.stringContaining(file) as string }),
      expect.objectContaining({ code: 0, stdout: expect.stringContaining(ada._id) as string }),
    ]);
    expect([exported, imported].map(({ stderr }) => JSON.parse(stderr) as object)).toEqual([
      expect.objectContaining({ event: 'signing_keys_exported', account: ada._id }),
      expect.objectContaining({ event: 'signing_keys_imported', account: eve._id }),
    ]);
    expect((await target.get('/signing-keys', eve)).body).toEqual(keys);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);

    const { current, next } = decryptSigningKeys(fs.readFileSync(file, 'utf8'), PASSPHRASE);
    expect(listed).toContain('signing-keys.js');
    for (const secret of [PASSPHRASE, current.seed, next.seed]) {
      expect([listed, JSON.stringify([exported, imported])].join()).not.toContain(secret);
    }

    const short = await run(from, ['export', ada.email, from.path('other.json')], 'too short');
    expectOneSentence(short, 'The passphrase needs at least 12 characters.');
    expect(fs.existsSync(from.path('other.json'))).toBe(false);
  });
});

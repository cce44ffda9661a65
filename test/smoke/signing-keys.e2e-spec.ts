import fs from 'node:fs';
import path from 'node:path';
import { registerDeveloper } from '../e2e/developer.js';
import { NO_LIMITS } from '../no-limits.js';
import { expectOneSentence } from './one-sentence.js';
import { Operator } from './operator.js';

const PROGRAM = path.resolve('dist/cli/signing-keys.js');
const PASSPHRASE = 'a passphrase of the operator';

describe('npm run signing-keys', () => {
  const operators = [new Operator(NO_LIMITS), new Operator(NO_LIMITS)] as const;
  afterAll(() => Promise.all(operators.map((operator) => operator.leave())));

  const run = (operator: Operator, args: string[], input = PASSPHRASE) =>
    operator.run(process.execPath, [PROGRAM, ...args], `${input}\n`);

  it('S22: carries keys to another store while both services run, and logs it without a secret', async () => {
    const [from, to] = operators;
    const file = from.path('keys.json');
    const [source, target] = [await from.start(), await to.start()];
    const [ada, eve] = [await registerDeveloper(source), await registerDeveloper(target)];
    const { body: keys } = await source.get('/signing-keys', ada);

    const exported = await run(from, ['export', ada.email, file]);
    const imported = await run(to, ['import', eve.email, file]);
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

    const wrong = await run(to, ['import', eve.email, file], 'another passphrase');
    expectOneSentence(wrong, 'The passphrase is wrong, or the file is damaged.');
    const short = await run(from, ['export', ada.email, from.path('other.json')], 'too short');
    expectOneSentence(short, 'The passphrase needs at least 12 characters.');
    expect(fs.existsSync(from.path('other.json'))).toBe(false);
  });

  it('prints how it is used for a command line that it does not understand', async () => {
    const { code, stderr } = await run(operators[0], ['rotate']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^There is no command rotate\.\n\nUsage:\n/);
  });
});

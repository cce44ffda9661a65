import { scryptSync } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError } from './command-error.js';

const MIN_LENGTH = 12;
// About 0.4 s and 128 MB per guess (OWASP's recommendation for scrypt).
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
const KEY_BYTES = 32;

/** The key that encrypts a file. */
export const keyOf = (passphrase: string, salt: string): Buffer =>
  scryptSync(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64url'), KEY_BYTES, COST);

/** Prompts for a passphrase on a terminal (twice if new), or reads the first line of standard input. */
export async function readPassphrase({ isNew }: { isNew: boolean }): Promise<string> {
  const { isTTY } = process.stdin;
  const passphrase = isTTY
    ? await ask('Passphrase: ')
    : (await text(process.stdin)).split(/\r?\n/, 1)[0]!;
  if (isNew && passphrase.length < MIN_LENGTH) {
    throw new CommandError(`The passphrase must be at least ${MIN_LENGTH} characters long.`);
  }
  if (isNew && isTTY && (await ask('Repeat the passphrase: ')) !== passphrase) {
    throw new CommandError('The passphrases do not match.');
  }
  return passphrase;
}

async function ask(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError } from './command-error.js';

const MIN_LENGTH = 12;

/** Prompts for a passphrase on a terminal (twice if new), or reads the first line of standard input. */
export async function readPassphrase({ isNew }: { isNew: boolean }): Promise<string> {
  const { isTTY } = process.stdin;
  const passphrase = isTTY
    ? await ask('Passphrase: ')
    : (await text(process.stdin)).split(/\r?\n/, 1)[0]!;
  if (isNew && passphrase.length < MIN_LENGTH) {
    throw new CommandError(`The passphrase needs at least ${MIN_LENGTH} characters.`);
  }
  if (isNew && isTTY && (await ask('The same again: ')) !== passphrase) {
    throw new CommandError('The two passphrases differ.');
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

import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.js';

/**
 * Reads a passphrase: asked for on a terminal, without showing it, else the first line of standard input.
 *
 * @param confirmed asks for it twice
 * @throws CommandError if both differ
 */
export async function readPassphrase({ confirmed }: { confirmed: boolean }): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split(/\r?\n/)[0] ?? '';
  const passphrase = await ask('Passphrase: ');
  if (confirmed && (await ask('The same again: ')) !== passphrase) {
    throw new CommandError('The two passphrases differ.');
  }
  return passphrase;
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

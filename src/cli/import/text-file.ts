import fs from 'node:fs';
import { CommandError } from '../command-error.js';

/** Maximum number of characters in a row, which is also the limit of a request. */
export const MAX_ROW = 1024 * 1024;

/** Maximum size of a file that is read as a whole, in bytes. */
const MAX_FILE = 256 * 1024 * 1024;

/**
 * The text of a file, without a byte order mark.
 *
 * @throws CommandError if it is too large
 * @throws TypeError if it is not UTF-8
 */
export function readText(file: string): string {
  const { size } = fs.statSync(file);
  if (size > MAX_FILE) {
    throw new CommandError(`${file} is larger than 256 MiB. Split it into smaller files.`);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync(file));
}

/**
 * What `read` makes of a file's text.
 *
 * @param form what the file must be, if `read` fails or returns undefined
 */
export function readAs<T>(file: string, form: string, read: (text: string) => T | undefined): T {
  try {
    const found = read(readText(file));
    if (found !== undefined) return found;
  } catch (error) {
    if (error instanceof CommandError) throw error;
  }
  throw new CommandError(`${file} cannot be read. It must ${form}.`);
}

export const tooLong = (file: string, line: number) =>
  new CommandError(`Line ${line} of ${file} is longer than 1 MiB. Is this the right file?`);

/**
 * The text of a file in pieces, without a byte order mark.
 *
 * @throws CommandError if it is not UTF-8 or contains a NUL character, as UTF-16 does
 */
export async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer) => {
    try {
      const text = decoder.decode(bytes, { stream: bytes !== undefined });
      if (!text.includes('\0')) return text;
    } catch {
      // Reported below, like a NUL character.
    }
    throw new CommandError(`${file} is not UTF-8 text. Save it as UTF-8 and import it again.`);
  };
  for await (const bytes of fs.createReadStream(file)) yield decode(bytes as Buffer);
  yield decode();
}

/** The lines of a file, with only one line in memory. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let line = 1;
  let rest = '';
  for await (const text of textOf(file)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const one of lines) {
      if (one.length > MAX_ROW) throw tooLong(file, line);
      line += 1;
      yield one;
    }
    if (rest.length > MAX_ROW) throw tooLong(file, line);
  }
  yield rest;
}

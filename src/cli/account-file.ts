import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createInterface } from 'node:readline';
import { open, seal } from '../shared/sealing/sealing.js';
import { fromJson, toJson } from '../storage/collection.js';
import { CommandError } from './command-error.js';
import { keyOf } from './passphrase.js';

const FORMAT = 'license-management-service account 1';

/** Some records of a collection. */
export interface Part {
  readonly collection: string;
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/** The last line of a file: the count and digest of all other lines. */
interface End {
  readonly count: number;
  readonly digest: string;
}

/**
 * Writes an encrypted file of records: a line with the salt, a line for each part, and a line with their count and
 * digest. Each line is sealed to its number, so no line can be missing, added or moved.
 *
 * @returns the number of records
 */
export async function writeAccountFile(
  file: string,
  passphrase: string,
  parts: AsyncIterable<Part> | readonly Part[],
): Promise<number> {
  const salt = randomBytes(16).toString('base64url');
  const key = keyOf(passphrase, salt);
  const output = await fs.promises.open(file, 'w');
  try {
    await output.write(`${JSON.stringify({ format: FORMAT, salt })}\n`);
    const digest = createHash('sha256');
    let [line, count] = [0, 0];
    const write = (kind: 'part' | 'end', text: string) =>
      output.write(`${kind} ${seal(key, Buffer.from(text), contextOf(kind, line++))}\n`);
    for await (const part of parts) {
      const text = toJson(part);
      digest.update(text);
      count += part.records.length;
      await write('part', text);
    }
    const end: End = { count, digest: digest.digest('hex') };
    await write('end', JSON.stringify(end));
    return count;
  } finally {
    await output.close();
  }
}

/**
 * Reads the parts of a file.
 *
 * @throws CommandError if the passphrase is wrong, or the file is damaged, incomplete or of another kind
 */
export async function* readAccountFile(file: string, key: Buffer): AsyncGenerator<Part> {
  const digest = createHash('sha256');
  let [line, count] = [-1, 0];
  let end: End | undefined;
  for await (const text of linesOf(file)) {
    if (line++ < 0) continue;
    const [kind, sealed = ''] = text.split(' ', 2);
    if ((kind !== 'part' && kind !== 'end') || end) throw damaged();
    const plain = opened(key, sealed, contextOf(kind, line - 1));
    if (kind === 'end') {
      end = JSON.parse(plain) as End;
      continue;
    }
    digest.update(plain);
    const part = fromJson(plain) as Part;
    count += part.records.length;
    yield part;
  }
  if (!end) throw new CommandError('The file is incomplete. Export it again.');
  if (end.count !== count || end.digest !== digest.digest('hex')) throw damaged();
}

/**
 * The key of a file.
 *
 * @throws CommandError if it is another kind of file or cannot be read
 */
export async function keyOfFile(file: string, ask: () => Promise<string>): Promise<Buffer> {
  for await (const text of linesOf(file)) {
    const { format, salt } = parsed(text);
    if (format === FORMAT && typeof salt === 'string') return keyOf(await ask(), salt);
    break;
  }
  throw new CommandError(`${file} is not an export of this service.`);
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = fs.createReadStream(file);
  try {
    yield* createInterface({ input });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof CommandError || !code) throw error;
    throw new CommandError(`${file} cannot be read (${code}).`);
  } finally {
    input.destroy();
  }
}

function parsed(text: string): { readonly format?: unknown; readonly salt?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    return {};
  }
}

function opened(key: Buffer, sealed: string, context: string): string {
  try {
    return open(key, sealed, context).toString();
  } catch {
    throw damaged();
  }
}

const contextOf = (kind: 'part' | 'end', line: number) => `${FORMAT} ${kind} ${line}`;

const damaged = () => new CommandError('The passphrase is wrong, or the file is damaged.');

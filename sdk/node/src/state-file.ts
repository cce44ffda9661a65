import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { FolderLock } from './folder-lock.js';
import { decodeUtf8 } from './json.js';
import { MAX_BYTES, readRegularFile } from './regular-file.js';
import { invalid, type Status } from './status.js';
import { parseState, serializeState, type StoredState } from './stored-state.js';
import { probe, removeTemporary, writeWhole } from './whole-file.js';

/** Larger than any state file, so an almost full disk is detected. */
const PROBE = ' '.repeat(16_384);

export interface StateOwner {
  readonly issuer: string;
  readonly product: string;
  readonly fingerprint: () => string;
}

/** The file with the state of one product, valid only on this machine. */
export class StateFile {
  private readonly path: string;
  private readonly lock: FolderLock;

  constructor(
    folder: string,
    private readonly owner: StateOwner,
  ) {
    const name = this.hash().digest('hex').slice(0, 32);
    this.path = path.join(folder, `license-${name}.json`);
    this.lock = new FolderLock(folder);
  }

  /**
   * The stored state, or the status if there is none: `none`, `damaged` or `other_machine`.
   *
   * @throws an error of the file system if the file cannot be read
   */
  read(): StoredState | Status {
    const bytes = readRegularFile(this.path);
    if (bytes === undefined) return invalid('none', null);
    const text = bytes.length > MAX_BYTES ? undefined : decodeUtf8(bytes);
    const content = parseState(text);
    if (content && content.machine !== this.machine) return invalid('other_machine', 'state_file');
    return content?.state ?? invalid('damaged', 'state_file');
  }

  /**
   * Replaces the state with the result of `change`, or leaves it unchanged if the result is undefined.
   *
   * @param timeout milliseconds to wait for other processes
   * @throws an error of the file system if the file cannot be read or written
   */
  update(
    change: (stored: StoredState | Status) => StoredState | undefined,
    { timeout }: { readonly timeout?: number } = {},
  ): void {
    // Without a change, nothing is written, so a read-only folder also works.
    if (!change(this.read())) return;
    const { machine } = this;
    this.locked((check) => {
      const next = change(this.read());
      if (next) writeWhole(this.path, serializeState(next, machine), check);
    }, timeout);
  }

  /** @throws an error of the file system if files of this kind cannot be written */
  proveWritable(): void {
    this.locked(() => probe(this.path, PROBE));
  }

  /** @throws an error of the file system if the file cannot be deleted */
  delete(): void {
    if (fs.existsSync(path.dirname(this.path))) this.locked(() => this.remove());
  }

  /**
   * Deletes the state if it matches.
   *
   * @throws an error of the file system if the file cannot be read or deleted
   */
  deleteIf(matches: (stored: StoredState) => boolean): void {
    this.locked(() => {
      const stored = this.read();
      if (!('state' in stored) && matches(stored)) this.remove();
    });
  }

  private remove(): void {
    fs.rmSync(this.path, { force: true });
  }

  /** While this process holds the lock, every temporary file is from a killed process. */
  private locked(action: (check: () => void) => void, timeout?: number): void {
    this.lock.hold((check) => {
      removeTemporary(this.path);
      action(check);
    }, timeout);
  }

  private get machine(): string {
    return this.hash().update(`\n${this.owner.fingerprint()}`).digest('base64url');
  }

  private hash() {
    const { issuer, product } = this.owner;
    return createHash('sha256').update(`license-state:v1\n${issuer}\n${product}`);
  }
}

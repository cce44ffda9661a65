import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { invalid, type Status } from './status.js';
import { parseState, serializeState, type StoredState } from './stored-state.js';
import { writeWhole } from './whole-file.js';

export interface StateOwner {
  readonly issuer: string;
  readonly product: string;
  readonly fingerprint: () => string;
}

/** The file that keeps the state of one product, for this machine alone. */
export class StateFile {
  private readonly path: string;

  constructor(
    folder: string,
    private readonly owner: StateOwner,
  ) {
    const name = this.hash().digest('hex').slice(0, 32);
    this.path = path.join(folder, `license-${name}.json`);
  }

  /**
   * The stored state, or the status without one: `none`, `damaged` or `other_machine`.
   *
   * @throws an error of the file system if the file cannot be read
   */
  read(): StoredState | Status {
    return this.parse(this.text());
  }

  /**
   * Replaces the state by what `change` makes of it, or leaves it if that is undefined. If another process replaces it
   * meanwhile, `change` is called again.
   *
   * @throws an error of the file system if the file cannot be read or written
   */
  update(change: (stored: StoredState | Status) => StoredState | undefined): void {
    let isDone = false;
    while (!isDone) {
      const before = this.text();
      const next = change(this.parse(before));
      isDone = !next || this.replace(before, serializeState(next, this.machine));
    }
  }

  /** @throws an error of the file system if the file cannot be deleted */
  delete(): void {
    fs.rmSync(this.path, { force: true });
  }

  /**
   * Deletes the state if it matches.
   *
   * @throws an error of the file system if the file cannot be read or deleted
   */
  deleteIf(matches: (stored: StoredState) => boolean): void {
    const stored = this.read();
    if (!('state' in stored) && matches(stored)) this.delete();
  }

  private replace(before: string | undefined, text: string): boolean {
    return writeWhole(this.path, text, (temporary, file) => {
      const isUnchanged = this.text() === before;
      if (isUnchanged) fs.renameSync(temporary, file);
      return isUnchanged;
    });
  }

  private text(): string | undefined {
    try {
      return fs.readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  private parse(text: string | undefined): StoredState | Status {
    if (text === undefined) return invalid('none', null);
    const content = parseState(text);
    if (content && content.machine !== this.machine) return invalid('other_machine', 'state_file');
    return content?.state ?? invalid('damaged', 'state_file');
  }

  private get machine(): string {
    return this.hash().update(`\n${this.owner.fingerprint()}`).digest('base64url');
  }

  private hash() {
    const { issuer, product } = this.owner;
    return createHash('sha256').update(`license-state:v1\n${issuer}\n${product}`);
  }
}

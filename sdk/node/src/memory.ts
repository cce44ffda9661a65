import type { Proven } from './rejection.js';
import type { ContactFailure } from './status.js';
import type { Received, StoredState } from './stored-state.js';
import { judge } from './verify.js';

/** What a process knows in addition to the state file. */
export class Memory {
  /** Why the last request to the service changed nothing; null if it succeeded. */
  failure: ContactFailure | 'folder' | 'machine_id' | null = null;
  /** A rejection of the license with this key that could not be stored. */
  unstored: (Proven & { readonly key: string }) | null = null;
  /**
   * Whether the last certificate from the service had already expired when it arrived, by a clock that has
   * not been corrected since.
   */
  isClockAhead = false;

  /**
   * @param now seconds since 1970
   * @param received the certificate that the service just issued
   */
  noteSuccess(now: number, received?: Received): void {
    const at = { now, rememberedTime: 0, rejection: null, isClockAhead: true };
    this.isClockAhead = !!received && judge(received.certificate, at).reason === 'already_over';
    this.noteStored();
  }

  /** Records that the service's reply is in the state file. */
  noteStored(): void {
    this.unstored = this.failure = null;
  }

  withUnstored(stored: StoredState): StoredState {
    if (!this.unstored) return stored;
    const { key, rejection, rejectedAt } = this.unstored;
    return stored.key === key ? { ...stored, rejection, rejectedAt } : stored;
  }
}

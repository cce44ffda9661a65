import type { Change } from './changes.js';

/** What changes cause besides themselves. It is decided in one place, and committed with them. */
export abstract class Effects {
  /** The changes with what they cause, which has no effects of its own. */
  abstract with(changes: readonly Change[]): Promise<readonly Change[]>;
}

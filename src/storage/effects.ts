import type { Change } from './changes.js';

/** What changes cause besides themselves. It is decided in one place, and committed with them. */
export abstract class Effects {
  /** The further changes; none of them has effects of its own. */
  abstract of(changes: readonly Change[]): Promise<readonly Change[]>;
}

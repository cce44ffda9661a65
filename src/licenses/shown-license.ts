import type { SeatsInUse } from '../machines/machines.service.js';
import type { License } from './license.js';

/** The names of a license's client and project; null if one was deleted meanwhile. */
export interface ParentNames {
  readonly clientName: string | null;
  readonly projectName: string | null;
}

/** A license of an account. */
export interface OwnedLicense {
  readonly license: License;
  readonly names: ParentNames;
}

/** A license with all that a response shows, as of a time. As the result of a request it is stored, so that a repeat shows the same. */
export interface ShownLicense extends OwnedLicense {
  readonly machines: SeatsInUse;
  readonly at: Date;
}

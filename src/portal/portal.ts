import type { AccountId } from '../shared/ids.js';
import {
  boolean,
  collection,
  id,
  integer,
  NOT_STORED,
  type RecordOf,
  text,
  time,
} from '../storage/collection.js';

export const MAX_RELEASES = 10;
const DEFAULT_RELEASES = 3;

const FIELDS = {
  _id: id<AccountId>(),
  enabled: boolean(),
  /** When it was last turned on. Earlier links and sessions are invalid. */
  enabledAt: time(),
  /** The name by which customers know the account. */
  name: text(),
  /** An https or mailto URL; if null, the portal shows no help link. */
  supportUrl: text().nullable(),
  /** A PNG, base64. */
  logo: text().nullable(),
  /** Whether customers see their license keys in full. */
  showKey: boolean(),
  /** How many machines of a license a customer can release in 30 days. */
  releasesPer30Days: integer(),
  updatedAt: time(),
};

/** The customer portal of an account. */
export type Portal = RecordOf<typeof FIELDS>;

export const PORTALS = collection<Portal>('portals', {
  fields: FIELDS,
  account: '_id',
  cached: true,
});

export type PortalSettings = Omit<Portal, '_id' | 'version' | 'enabledAt' | 'updatedAt'>;

/** The portal of an account that has not set it up. */
export const newPortal = (_id: AccountId, name: string, updatedAt: Date): Portal => ({
  _id,
  version: NOT_STORED,
  enabled: false,
  enabledAt: updatedAt,
  name,
  supportUrl: null,
  logo: null,
  showKey: false,
  releasesPer30Days: DEFAULT_RELEASES,
  updatedAt,
});

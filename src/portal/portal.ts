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
  /** When it was last turned on. Links and sessions from before are over. */
  enabledAt: time(),
  /** What customers know the account by. */
  name: text(),
  /** An https or mailto URL; null: customers see no way to reach support. */
  supportUrl: text().nullable(),
  /** A PNG, base64. */
  logo: text().nullable(),
  /** Whether customers see their whole license keys. */
  showKey: boolean(),
  /** How often the machines of a license may be released in 30 days before a customer has to ask. */
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

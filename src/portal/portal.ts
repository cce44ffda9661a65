import type { AccountId } from '../shared/ids.js';
import { collection, NOT_STORED, type RecordOf, field } from '../storage/collection.js';

export const MAX_RELEASES = 10;
const DEFAULT_RELEASES = 3;

const FIELDS = {
  _id: field.id<AccountId>(),
  enabled: field.boolean(),
  /** When it was last turned on. Earlier links and sessions are invalid. */
  enabledAt: field.time(),
  /** The name by which customers know the account. */
  name: field.text(),
  /** An https or mailto URL; if null, the portal shows no help link. */
  supportUrl: field.text().nullable(),
  /** A PNG, base64. */
  logo: field.text().nullable(),
  /** Whether customers see their license keys in full. */
  showKey: field.boolean(),
  /** How many machines of a license a customer can release in 30 days. */
  releasesPer30Days: field.integer(),
  updatedAt: field.time(),
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

import type { Environment } from './environment.js';

/** A rate limit: at most `requests` in a window of `seconds`; 0 requests is no limit. */
export interface Limit {
  readonly requests: number;
  readonly seconds: number;
}

/** The configuration of this process: one frozen object, and the token by which it is injected. */
export abstract class Config {
  abstract readonly host: string;
  abstract readonly port: number;
  /** Absolute path of the folder for SQLite's file and what this deployment made for itself. */
  abstract readonly dataDir: string;
  /** Chooses the engine: MongoDB where it is set, SQLite where not. */
  abstract readonly mongodbUri: string | undefined;
  abstract readonly jwtSecret: string;
  abstract readonly licenseSecret: string;
  /** The secret before the last rotation, by which the data keys may still be wrapped. */
  abstract readonly licenseSecretPrevious: string | undefined;
  abstract readonly keyPrefix: string;
  abstract readonly machineId: string | undefined;
  abstract readonly requireFingerprint: boolean;
  /** Addresses and networks whose X-Forwarded-For counts. */
  abstract readonly trustedProxies: readonly string[];
  /** `first`: open until the first account exists. */
  abstract readonly registration: 'open' | 'first' | 'closed';
  abstract readonly corsOrigins: readonly string[];
  /** How long a shutdown still takes new connections, in seconds. */
  abstract readonly drainSeconds: number;
  abstract readonly logLevel: Environment['LOG_LEVEL'];
  abstract readonly limits: Limits;
  abstract readonly quotas: Quotas;
  /** Open connections at most; beyond them, new ones are closed at once. */
  abstract readonly maxConnections: number;
}

/** Every limit of the service, by the name under which its route or service asks for it. */
export interface Limits {
  readonly activation: Limit;
  /** Validations of one license key by one address. */
  readonly validation: Limit;
  /** Validations by one address, of whatever keys. */
  readonly validationAddress: Limit;
  readonly unknownKeys: Limit;
  readonly loginByAddress: Limit;
  readonly loginByAccount: Limit;
  readonly registration: Limit;
  /** Refreshes and logouts by one address. */
  readonly refresh: Limit;
  /** Authenticated requests of one account that change something. */
  readonly writes: Limit;
  /** Rejections of one account because another client has the e-mail address. */
  readonly emailConflicts: Limit;
}

/** How many records an account may have; 0 is no quota. */
export interface Quotas {
  readonly clients: number;
  readonly projects: number;
  readonly licenses: number;
  /** Idempotency records that have not expired. */
  readonly idempotencyRecords: number;
}

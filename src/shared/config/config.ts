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
  /** Port on which metrics are served; undefined where they are off. */
  abstract readonly metricsPort: number | undefined;
  abstract readonly metricsHost: string;
  /** Absolute path of the folder for SQLite's file and this deployment's generated secrets. */
  abstract readonly dataDir: string;
  /** Selects the engine: MongoDB if it is set, else SQLite. */
  abstract readonly mongodbUri: string | undefined;
  abstract readonly jwtSecret: string;
  abstract readonly licenseSecret: string;
  /** The secret before the last rotation: the data keys may still be wrapped with it. */
  abstract readonly licenseSecretPrevious: string | undefined;
  abstract readonly keyPrefix: string;
  abstract readonly machineId: string | undefined;
  abstract readonly requireFingerprint: boolean;
  /** Days that a certificate is valid which shipped software requests. */
  abstract readonly certificateDays: number;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  abstract readonly trustedProxies: readonly string[];
  /** `first`: open until the first account exists. */
  abstract readonly registration: 'open' | 'first' | 'closed';
  abstract readonly corsOrigins: readonly string[];
  /** Whether the web console is served. */
  abstract readonly console: boolean;
  /** How long a shutdown still accepts new connections, in seconds. */
  abstract readonly drainSeconds: number;
  abstract readonly logLevel: Environment['LOG_LEVEL'];
  abstract readonly limits: Limits;
  abstract readonly quotas: Quotas;
  /** Maximum number of open connections; further ones are closed at once. */
  abstract readonly maxConnections: number;
}

/** Every rate limit of the service, by the name that its route or service refers to. */
export interface Limits {
  readonly activation: Limit;
  /** Validations of one license key by one address. */
  readonly validation: Limit;
  /** Validations by one address, of all keys. */
  readonly validationAddress: Limit;
  readonly unknownKeys: Limit;
  readonly loginByAddress: Limit;
  readonly loginByAccount: Limit;
  readonly registration: Limit;
  /** Refreshes, logouts and requests of GET /auth/registration by one address. */
  readonly refresh: Limit;
  /** Requests of JWK Sets by one address. */
  readonly keySets: Limit;
  /** Authenticated writes of one account. */
  readonly writes: Limit;
  /** Rejected writes of one account because another client has the e-mail address. */
  readonly emailConflicts: Limit;
}

/** Maximum numbers of records of an account; 0 is no quota. */
export interface Quotas {
  readonly clients: number;
  readonly projects: number;
  readonly licenses: number;
  /** Idempotency records that have not expired. */
  readonly idempotencyRecords: number;
}

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
  abstract readonly registration: 'open' | 'closed';
  abstract readonly corsOrigins: readonly string[];
  /** How long a shutdown still takes new connections, in seconds. */
  abstract readonly drainSeconds: number;
  abstract readonly logLevel: Environment['LOG_LEVEL'];
  abstract readonly limits: Limits;
}

/** Every limit of the service, by the name under which its route or service asks for it. */
export interface Limits {
  readonly activation: Limit;
  readonly validation: Limit;
  readonly unknownKeys: Limit;
  readonly loginByAddress: Limit;
  readonly loginByAccount: Limit;
  readonly registration: Limit;
}

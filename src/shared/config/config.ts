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
  /** Days for which events are kept; 0 for ever. */
  abstract readonly eventDays: number;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  abstract readonly trustedProxies: readonly string[];
  /** Addresses and networks that webhooks may reach though they are not public. */
  abstract readonly webhookNetworks: readonly string[];
  /** `first`: open until the first account exists. */
  abstract readonly registration: 'open' | 'first' | 'closed';
  abstract readonly corsOrigins: readonly string[];
  abstract readonly console: boolean;
  /** How long a shutdown still accepts new connections, in seconds. */
  abstract readonly drainSeconds: number;
  abstract readonly logLevel: Environment['LOG_LEVEL'];
  abstract readonly limits: Limits;
  abstract readonly quotas: Quotas;
  /** Maximum number of open connections; further ones are closed at once. */
  abstract readonly maxConnections: number;
}

const MINUTE = 60;
const QUARTER_HOUR = 900;
const HOUR = 3600;

/** Every rate limit of the service, by the name that its route or service refers to. */
export const limitsOf = (variables: Environment) =>
  ({
    activation: { requests: variables.ACTIVATION_LIMIT, seconds: variables.ACTIVATION_WINDOW },
    /** Validations of one license key by one address. */
    validation: { requests: variables.VALIDATION_LIMIT, seconds: variables.VALIDATION_WINDOW },
    /** Validations by one address, of all keys. */
    validationAddress: { requests: variables.VALIDATION_ADDRESS_LIMIT, seconds: MINUTE },
    unknownKeys: { requests: variables.UNKNOWN_KEY_LIMIT, seconds: QUARTER_HOUR },
    loginByAddress: { requests: variables.LOGIN_LIMIT, seconds: QUARTER_HOUR },
    loginByAccount: { requests: variables.LOGIN_LIMIT * 3, seconds: QUARTER_HOUR },
    registration: { requests: variables.REGISTER_LIMIT, seconds: HOUR },
    /** Refreshes, logouts and requests of GET /auth/registration by one address. */
    refresh: { requests: variables.REFRESH_LIMIT, seconds: MINUTE },
    /** Requests of JWK Sets by one address. */
    keySets: { requests: variables.KEY_SET_LIMIT, seconds: MINUTE },
    /** Authenticated writes of one account. */
    writes: { requests: variables.WRITE_LIMIT, seconds: MINUTE },
    /** Rejected writes of one account because another client has the e-mail address. */
    emailConflicts: { requests: variables.EMAIL_CONFLICT_LIMIT, seconds: HOUR },
  }) satisfies Record<string, Limit>;

export type Limits = Readonly<ReturnType<typeof limitsOf>>;

/** Maximum numbers of records of an account; 0 is no quota. */
export const quotasOf = (variables: Environment) => ({
  clients: variables.CLIENT_QUOTA,
  projects: variables.PROJECT_QUOTA,
  licenses: variables.LICENSE_QUOTA,
  /** Idempotency records that have not expired. */
  idempotencyRecords: variables.IDEMPOTENCY_QUOTA,
});

export type Quotas = Readonly<ReturnType<typeof quotasOf>>;

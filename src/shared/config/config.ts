import type { Environment } from './environment.js';

/** A rate limit: at most `requests` in a window of `seconds`; 0 requests is no limit. */
export interface Limit {
  readonly requests: number;
  readonly seconds: number;
}

const MINUTE = 60;
const QUARTER_HOUR = 900;
const HOUR = 3600;

/** Every rate limit of the service, by the name that its route or service refers to. */
const limitsOf = (variables: Environment) =>
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
const quotasOf = (variables: Environment) => ({
  clients: variables.CLIENT_QUOTA,
  projects: variables.PROJECT_QUOTA,
  licenses: variables.LICENSE_QUOTA,
  /** Machines of all licenses, with those whose leases have ended. */
  machines: variables.MACHINE_QUOTA,
  /** Idempotency records that have not expired. */
  idempotencyRecords: variables.IDEMPOTENCY_QUOTA,
});

export type Quotas = Readonly<ReturnType<typeof quotasOf>>;

/** The configuration of this process, frozen: what features read, and the token by which it is injected. */
export class Config {
  readonly host = this.variables.HOST;
  readonly port = this.variables.PORT;
  /** Port on which metrics are served; undefined where they are off. */
  readonly metricsPort = this.variables.METRICS_PORT;
  readonly metricsHost = this.variables.METRICS_HOST;
  /** Selects the engine: MongoDB if it is set, else SQLite. */
  readonly mongodbUri = this.variables.MONGODB_URI;
  /** The secret before the last rotation: the data keys may still be wrapped with it. */
  readonly licenseSecretPrevious = this.variables.LICENSE_SECRET_PREVIOUS;
  readonly keyPrefix = this.variables.KEY_PREFIX;
  readonly machineId = this.variables.MACHINE_ID;
  readonly requireFingerprint = this.variables.REQUIRE_FINGERPRINT;
  /** Days that a certificate is valid which shipped software requests. */
  readonly certificateDays = this.variables.CERTIFICATE_DAYS;
  /** Days for which events are kept; 0 for ever. */
  readonly eventDays = this.variables.EVENT_DAYS;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies = this.variables.TRUSTED_PROXIES;
  /** Addresses and networks that webhooks may reach though they are not public. */
  readonly webhookNetworks = this.variables.WEBHOOK_NETWORKS;
  /** `first`: open until the first account exists. */
  readonly registration = this.variables.REGISTRATION;
  readonly corsOrigins = this.variables.CORS_ORIGINS;
  readonly console = this.variables.CONSOLE;
  /** How long a shutdown still accepts new connections, in seconds. */
  readonly drainSeconds = this.variables.SHUTDOWN_DRAIN;
  readonly logLevel = this.variables.LOG_LEVEL;
  readonly limits: Limits = limitsOf(this.variables);
  readonly quotas: Quotas = quotasOf(this.variables);
  /** Maximum number of open connections; further ones are closed at once. */
  readonly maxConnections = this.variables.MAX_CONNECTIONS;

  /** @param dataDir absolute path of the folder for SQLite's file and this deployment's generated secrets */
  constructor(
    private readonly variables: Environment,
    readonly dataDir: string,
    readonly jwtSecret: string,
    readonly licenseSecret: string,
  ) {
    Object.freeze(this);
  }
}

import type { Environment } from './environment.js';

const MINUTE = 60;
const QUARTER_HOUR = 900;
const HOUR = 3600;

/** Every rate limit of the service, by the name that its route or service refers to. */
const limitsOf = (variables: Environment) => {
  const { ADDRESS_LIMIT, GUESS_LIMIT } = variables;
  return named({
    activation: { requests: variables.ACTIVATION_LIMIT, seconds: QUARTER_HOUR },
    /** Validations of one license key by one address. */
    validation: { requests: variables.VALIDATION_LIMIT, seconds: MINUTE },
    /** Validations by one address, of all keys. */
    validationAddress: { requests: variables.VALIDATION_ADDRESS_LIMIT, seconds: MINUTE },
    /** Distinct unknown license keys of one address or account. */
    unknownKeys: { requests: GUESS_LIMIT * 2, seconds: QUARTER_HOUR },
    loginByAddress: { requests: GUESS_LIMIT, seconds: QUARTER_HOUR },
    /** Failed logins of one account by strangers; those of its known addresses and sessions are counted separately. */
    loginByAccount: { requests: GUESS_LIMIT * 3, seconds: QUARTER_HOUR },
    loginFromKnownAddress: { requests: GUESS_LIMIT, seconds: QUARTER_HOUR },
    loginInSession: { requests: GUESS_LIMIT * 3, seconds: QUARTER_HOUR },
    registration: { requests: variables.REGISTER_LIMIT, seconds: HOUR },
    /** Rejected writes of one account because another client has the e-mail address. */
    emailConflicts: { requests: GUESS_LIMIT * 3, seconds: HOUR },
    /** Refreshes, logouts and requests of GET /auth/registration by one address. */
    refresh: { requests: ADDRESS_LIMIT, seconds: MINUTE },
    /** Requests of JWK Sets by one address. */
    keySets: { requests: ADDRESS_LIMIT * 5, seconds: MINUTE },
    /** Authenticated writes of one account. */
    writes: { requests: variables.WRITE_LIMIT, seconds: MINUTE },
  });
};

export type LimitName = keyof ReturnType<typeof limitsOf>;

/** A rate limit: at most `requests` in a window of `seconds`; 0 requests is no limit. */
export interface Limit {
  /** Under which its hits are counted. */
  readonly name: LimitName;
  readonly requests: number;
  readonly seconds: number;
}

export type Limits = Readonly<Record<LimitName, Limit>>;

/** Maximum numbers of records of an account; 0 is no quota. */
const quotasOf = (variables: Environment) => ({
  clients: variables.CLIENT_QUOTA,
  projects: variables.PROJECT_QUOTA,
  licenses: variables.LICENSE_QUOTA,
  /** Machines of all licenses, with those whose leases have ended. */
  machines: variables.MACHINE_QUOTA,
  /** Idempotency records that have not expired. */
  idempotencyRecords: variables.WRITE_LIMIT * 50,
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

const named = <N extends string>(limits: Record<N, { requests: number; seconds: number }>) =>
  Object.fromEntries(
    Object.entries<{ requests: number; seconds: number }>(limits).map(([name, limit]) => [
      name,
      { name, ...limit },
    ]),
  ) as Record<N, { name: N; requests: number; seconds: number }>;

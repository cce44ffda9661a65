import type { Environment } from './environment.js';

const MINUTE = 60;
const QUARTER_HOUR = 900;
const HOUR = 3600;
const DAY = 86_400;

/**
 * Every rate limit of the service, by the name that its route or service uses. Each allows a multiple of
 * its variable, or a fixed number, per window in seconds.
 */
const LIMITS = {
  activation: ['ACTIVATION_LIMIT', 1, QUARTER_HOUR],
  /** Validations of one license key from one address. */
  validation: ['VALIDATION_LIMIT', 1, MINUTE],
  /** Validations from one address, across keys. */
  validationAddress: ['VALIDATION_ADDRESS_LIMIT', 1, MINUTE],
  /** Distinct unknown license keys from one address or account. */
  unknownKeys: ['GUESS_LIMIT', 2, QUARTER_HOUR],
  loginByAddress: ['GUESS_LIMIT', 1, QUARTER_HOUR],
  /** Failed logins to one account by strangers; failures from known addresses and sessions are counted separately. */
  loginByAccount: ['GUESS_LIMIT', 3, QUARTER_HOUR],
  loginFromKnownAddress: ['GUESS_LIMIT', 1, QUARTER_HOUR],
  loginInSession: ['GUESS_LIMIT', 3, QUARTER_HOUR],
  registration: ['REGISTER_LIMIT', 1, HOUR],
  /** Writes of one account that were rejected because another client has the email address. */
  emailConflicts: ['GUESS_LIMIT', 3, HOUR],
  /** Imports of one account that were rejected because another account has the key or the email address. */
  importConflicts: ['GUESS_LIMIT', 2, HOUR],
  /** Token refreshes, logouts and GET /auth/registration from one address. */
  refresh: ['ADDRESS_LIMIT', 1, MINUTE],
  /** Requests for JWK Sets from one address. */
  keySets: ['ADDRESS_LIMIT', 5, MINUTE],
  /** Requests to the customer portal from one address. */
  portal: ['ADDRESS_LIMIT', 1, MINUTE],
  /** Authenticated writes of one account. */
  writes: ['WRITE_LIMIT', 1, MINUTE],
  /** Bytes of one account's events about clients, projects, licenses and plans, including deliveries. */
  events: ['WRITE_LIMIT', 1_000_000, DAY],
  /** Bytes of one account's events of each other kind. */
  accessEvents: ['WRITE_LIMIT', 100_000, DAY],
  /** Events that machines cause on a license with few seats. */
  machineEvents: ['WRITE_LIMIT', 1, DAY],
  /** Password reset requests from one address. */
  passwordReset: ['REGISTER_LIMIT', 1, HOUR],
  /** Requests from one address for a link to a customer portal. */
  portalLogin: ['REGISTER_LIMIT', 1, HOUR],
  /** Links that one login requests to a new email address. */
  emailChange: [3, 1, HOUR],
  /** Links mailed for an account that anyone could have registered, until its owner confirms the address. */
  unconfirmedLinks: [10, 1, DAY],
  /** Mails to one address. Security mail, mail that others can cause, and mail to customers are counted separately. */
  mailsToAddress: [20, 1, HOUR],
  mailsOfAccount: ['MAIL_LIMIT', 1, HOUR],
} as const;

export type LimitName = keyof typeof LIMITS;

/** A rate limit: at most `requests` per window of `seconds`; 0 requests means no limit. */
export interface Limit {
  /** Identifies the limit in counter keys. */
  readonly name: LimitName;
  readonly requests: number;
  readonly seconds: number;
}

export type Limits = Readonly<Record<LimitName, Limit>>;

const limitsOf = (variables: Environment): Limits =>
  Object.fromEntries(
    Object.entries(LIMITS).map(([name, [variable, times, seconds]]) => [
      name,
      {
        name,
        requests: (typeof variable === 'number' ? variable : variables[variable]) * times,
        seconds,
      },
    ]),
  ) as Limits;

/** Maximum number of records of an account; 0 means no quota. */
const quotasOf = (variables: Environment) => ({
  clients: variables.CLIENT_QUOTA,
  projects: variables.PROJECT_QUOTA,
  licenses: variables.LICENSE_QUOTA,
  /** Machines across all licenses, including ones with expired leases. */
  machines: variables.MACHINE_QUOTA,
  /** Unexpired idempotency records. */
  idempotencyRecords: variables.WRITE_LIMIT * 50,
});

export type Quotas = Readonly<ReturnType<typeof quotasOf>>;

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

/** The variables in camel case: `MONGODB_URI` is `mongodbUri`. */
type Values = { readonly [Name in keyof Environment as CamelCase<Name>]: Environment[Name] };

const valuesOf = (variables: Environment) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name.toLowerCase().replace(/_(.)/g, (_, first: string) => first.toUpperCase()),
      value,
    ]),
  ) as unknown as Values;

interface Resolved {
  /** Absolute path of the folder for SQLite's file and the deployment's generated secrets. */
  readonly dataDir: string;
  readonly jwtSecret: string;
  readonly licenseSecret: string;
}

const ConfigValues = class {
  constructor(values: object) {
    Object.assign(this, values);
  }
} as new (values: Values & Resolved) => Omit<Values, keyof Resolved> & Resolved;

/** The frozen configuration of this process, and the token that injects it. */
export class Config extends ConfigValues {
  readonly limits: Limits;
  readonly quotas: Quotas;

  constructor(variables: Environment, resolved: Resolved) {
    super({ ...valuesOf(variables), ...resolved });
    this.limits = limitsOf(variables);
    this.quotas = quotasOf(variables);
    Object.freeze(this);
  }

  /** The address that people use, for links; requires PUBLIC_URL. */
  get address(): string {
    return `${this.publicUrl}${this.basePath}`;
  }

  /** Whether licenses can be imported over HTTP. */
  get takesImports(): boolean {
    return this.import ?? this.registration !== 'open';
  }
}

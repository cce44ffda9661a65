import { isIP } from 'node:net';
import { cleanEnv, EnvError, makeExactValidator } from 'envalid';
import ipaddr from 'ipaddr.js';
import { StartupError } from '../errors/startup-error.js';
import { mailbox, portalUrl, publicUrl, requireMailVariables, smtpUrl } from './mail-variables.js';

const reject = (takes: string): never => {
  throw new EnvError(`must be ${takes}`);
};

const integer = (least: number, most: number) =>
  makeExactValidator((raw) => {
    const value = /^\d{1,15}$/.test(raw) ? Number(raw) : NaN;
    return value >= least && value <= most
      ? value
      : reject(`a whole number from ${least} to ${most}`);
  });

const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const oneOf = <const Word extends string>(...words: Word[]) =>
  makeExactValidator<Word>(
    (raw) => words.find((word) => word === raw) ?? reject(ALTERNATIVES.format(words)),
  );

const flag = makeExactValidator((raw) =>
  raw === 'true' ? true : raw === 'false' ? false : reject('true or false'),
);

/** Free text that matches a pattern; `takes` describes it to the operator. */
const text = (pattern: RegExp, takes: string) =>
  makeExactValidator((raw) => (pattern.test(raw) ? raw : reject(takes)));

const listOf = (isItem: (item: string) => boolean, takes: string) =>
  makeExactValidator<readonly string[]>((raw) => {
    const items = raw.split(',').map((item) => item.trim());
    return items.every(isItem) ? items : reject(takes);
  });

/** Addresses or CIDR networks, separated by commas. */
const networks = listOf((item) => {
  const [address = ''] = item.split('/', 1);
  // Checked first, because ipaddr.js would also accept 10/8 and octal 010.0.0.1. A prefix of 0 would trust everyone.
  if (isIP(address) === 0) return false;
  return item === address || (ipaddr.isValidCIDR(item) && !/\/0+$/.test(item));
}, 'IP addresses or networks such as 10.0.0.0/8, separated by commas');

/** Origins in the form browsers send, separated by commas. */
const origins = listOf(
  (item) => URL.canParse(item) && new URL(item).origin === item,
  'origins such as https://admin.example.com, separated by commas',
);

/** The services that licenses can include. Certificates contain the names and have little room. */
const services = makeExactValidator<readonly string[]>((raw) => {
  const names = raw === 'none' ? [] : raw.split(',').map((name) => name.trim());
  const isRight =
    names.every((name) => /^[\x20-\x7e]+$/.test(name)) &&
    new Set(names).size === names.length &&
    JSON.stringify(names).length <= 400;
  return isRight
    ? names
    : reject('none, or different ASCII names separated by commas, at most 400 bytes as JSON');
});

// Words from example secrets in this and other documentation. They are too long to occur in a random secret by chance.
const PLACEHOLDER =
  /change.?me|example|placeholder|secret|password|default|keyboard|insert|replace|abcdefgh/i;
const REPETITION = /^(.+)\1+$/s;

/** A secret of at least 32 bytes that is not a placeholder. Messages never contain the value. */
const secret = makeExactValidator((raw) => {
  if (PLACEHOLDER.test(raw) || REPETITION.test(raw) || new Set(raw).size < 8) {
    reject('a secret of your own, for example from: openssl rand -base64 48');
  }
  return Buffer.byteLength(raw) >= 32 ? raw : reject('at least 32 bytes long');
});

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const host = text(/^[\w.:-]+$/, 'a host name or an IP address');
const requests = integer(0, 1_000_000);
const records = integer(0, 1_000_000_000);

/** Every variable of the service, with its validator and default. */
export const VARIABLES = {
  PORT: integer(0, 65_535)({ default: 3000 }),
  HOST: host({ default: '127.0.0.1' }),
  /** The path prefix for everything except the customer portal and metrics. */
  BASE_PATH: text(
    /^(\/[\w-]+)+$/,
    'a path such as /licenses, without dots or a slash at the end',
  )({ default: '' }),
  /** Port of the metrics server; off by default. */
  METRICS_PORT: integer(1, 65_535)({ default: undefined }),
  METRICS_HOST: host({ default: '127.0.0.1' }),
  DATA_DIR: text(/^[^~]/, 'a folder, written without ~')({ default: './data' }),
  /** Selects MongoDB if set, otherwise SQLite. */
  MONGODB_URI: text(
    /^mongodb(\+srv)?:\/\/.+/,
    'a connection string that starts with mongodb:// or mongodb+srv://',
  )({ default: undefined }),
  JWT_SECRET: secret({ default: undefined }),
  LICENSE_SECRET: secret({ default: undefined }),
  /** The secret before the last rotation, in case the data keys are still wrapped with it. */
  LICENSE_SECRET_PREVIOUS: secret({ default: undefined }),
  KEY_PREFIX: text(/^[A-Z0-9]{1,16}$/, '1 to 16 capital letters and digits')({ default: 'LIC' }),
  MACHINE_ID: text(/^.{8,256}$/, '8 to 256 characters')({ default: undefined }),
  /** The services that licenses can include; `none` turns the field off. */
  SERVICES: services({ default: ['Hosting', 'Domain'] }),
  /** Validity in days of a certificate requested by shipped software. */
  CERTIFICATE_DAYS: integer(1, 30)({ default: 7 }),
  /** Event retention in days; 0 keeps them forever. */
  EVENT_DAYS: integer(0, 36_500)({ default: 400 }),
  ACTIVATION_LIMIT: requests({ default: 5 }),
  VALIDATION_LIMIT: requests({ default: 60 }),
  VALIDATION_ADDRESS_LIMIT: requests({ default: 3000 }),
  GUESS_LIMIT: requests({ default: 10 }),
  REGISTER_LIMIT: requests({ default: 20 }),
  ADDRESS_LIMIT: requests({ default: 60 }),
  WRITE_LIMIT: requests({ default: 1000 }),
  CLIENT_QUOTA: records({ default: 10_000 }),
  PROJECT_QUOTA: records({ default: 50_000 }),
  LICENSE_QUOTA: records({ default: 200_000 }),
  MACHINE_QUOTA: records({ default: 1_000_000 }),
  /** Maximum number of open connections; further ones are closed immediately. */
  MAX_CONNECTIONS: integer(1, 1_000_000)({ default: 5000 }),
  REQUIRE_FINGERPRINT: flag({ default: false }),
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: networks({ default: [] }),
  /** Non-public addresses and networks that webhooks may reach. */
  WEBHOOK_NETWORKS: networks({ default: [] }),
  /** `first`: open until the first account exists. */
  REGISTRATION: oneOf('open', 'first', 'closed')({ default: 'open' }),
  /** Whether licenses can be imported over HTTP; by default, only if registration is not open. */
  IMPORT: flag({ default: undefined }),
  /** The origin that people use, for links in mail; never taken from the Host header. */
  PUBLIC_URL: publicUrl({ default: undefined }),
  /** The origin of the customer portal, which needs its own host name; if it is not set, there is no portal. */
  PORTAL_URL: portalUrl({ default: undefined }),
  /** Turns mail on. */
  SMTP_URL: smtpUrl({ default: undefined }),
  /** Allows a private relay without TLS, to which no credentials are sent. */
  SMTP_PLAINTEXT: flag({ default: false }),
  MAIL_FROM: mailbox({ default: undefined }),
  MAIL_LIMIT: requests({ default: 1000 }),
  /** Whether accounts can mail their customers; by default, only if registration is not open. */
  CUSTOMER_MAIL: flag({ default: undefined }),
  CORS_ORIGINS: origins({ default: [] }),
  CONSOLE: flag({ default: true }),
  /**
   * How many seconds a shutdown still accepts new connections. This is enough for load balancers that probe
   * every second, and well within the ten seconds of a shutdown.
   */
  SHUTDOWN_DRAIN: integer(0, 5)({ default: 2 }),
  LOG_LEVEL: oneOf(...LOG_LEVELS)({ default: 'info' }),
};

/**
 * Reads the variables. An empty variable counts as absent.
 *
 * @throws StartupError with one sentence per invalid variable: its name and accepted values
 */
export function readEnvironment(env: NodeJS.ProcessEnv) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const variables = cleanEnv(given, VARIABLES, {
    reporter: ({ errors }) => {
      const wrong = Object.entries(errors).map(([name, error]) => `${name} ${error?.message}.`);
      if (wrong.length > 0) throw new StartupError(wrong.join(' '));
    },
  });
  requireMailVariables(variables);
  requireOtherHost(variables);
  requireOtherPort(variables);
  return variables;
}

/**
 * The portal needs its own host name, because cookies belong to a host name regardless of ports.
 *
 * @throws StartupError if the portal shares its host name with the rest of the service
 */
function requireOtherHost({
  PUBLIC_URL: service,
  PORTAL_URL: portal,
}: {
  readonly PUBLIC_URL?: string | undefined;
  readonly PORTAL_URL?: string | undefined;
}): void {
  if (service && portal && new URL(service).hostname === new URL(portal).hostname) {
    throw new StartupError('PORTAL_URL must have a different host name than PUBLIC_URL.');
  }
}

/** @throws StartupError if the metrics and the service have the same address */
function requireOtherPort(
  variables: Readonly<Record<'PORT' | 'HOST' | 'METRICS_PORT' | 'METRICS_HOST', unknown>>,
): void {
  const { PORT, HOST, METRICS_PORT, METRICS_HOST } = variables;
  if (METRICS_PORT === PORT && METRICS_HOST === HOST) {
    throw new StartupError('METRICS_PORT must be different from PORT.');
  }
}

export type Environment = Pick<ReturnType<typeof readEnvironment>, keyof typeof VARIABLES>;

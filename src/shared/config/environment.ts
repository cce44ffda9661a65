import { cleanEnv } from 'envalid';
import { StartupError } from '../errors/startup-error.js';
import { flag, mongodbUri, networks, oneOf, origins, secret, text, integer } from './variables.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const host = text(/^[\w.:-]+$/, 'a host name or an IP address');
const requests = integer(0, 1_000_000);
const records = integer(0, 1_000_000_000);

/** Every variable that the service reads, with its validator and default. */
export const VARIABLES = {
  PORT: integer(0, 65_535)({ default: 3000 }),
  HOST: host({ default: '127.0.0.1' }),
  METRICS_PORT: integer(1, 65_535)({ default: undefined }),
  METRICS_HOST: host({ default: '127.0.0.1' }),
  DATA_DIR: text(/./, 'a folder')({ default: './data' }),
  MONGODB_URI: mongodbUri({ default: undefined }),
  JWT_SECRET: secret({ default: undefined }),
  LICENSE_SECRET: secret({ default: undefined }),
  LICENSE_SECRET_PREVIOUS: secret({ default: undefined }),
  KEY_PREFIX: text(/^[A-Z0-9]{1,16}$/, '1 to 16 capital letters and digits')({ default: 'LIC' }),
  MACHINE_ID: text(/^.{8,256}$/, '8 to 256 characters')({ default: undefined }),
  CERTIFICATE_DAYS: integer(1, 30)({ default: 7 }),
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
  MAX_CONNECTIONS: integer(1, 1_000_000)({ default: 5000 }),
  REQUIRE_FINGERPRINT: flag({ default: false }),
  TRUSTED_PROXIES: networks({ default: [] }),
  WEBHOOK_NETWORKS: networks({ default: [] }),
  REGISTRATION: oneOf('open', 'first', 'closed')({ default: 'open' }),
  CORS_ORIGINS: origins({ default: [] }),
  CONSOLE: flag({ default: true }),
  // Enough for load balancers that probe every second, and well within the ten seconds of a shutdown.
  SHUTDOWN_DRAIN: integer(0, 5)({ default: 2 }),
  LOG_LEVEL: oneOf(...LOG_LEVELS)({ default: 'info' }),
};

/**
 * Reads the variables. An empty one counts as absent.
 *
 * @throws StartupError with a sentence for each invalid variable: its name and the values it takes
 */
export function readEnvironment(env: NodeJS.ProcessEnv) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  return cleanEnv(given, VARIABLES, {
    reporter: ({ errors }) => {
      const wrong = Object.entries(errors).map(([name, error]) => `${name} ${error?.message}.`);
      if (wrong.length > 0) throw new StartupError(wrong.join(' '));
    },
  });
}

export type Environment = ReturnType<typeof readEnvironment>;

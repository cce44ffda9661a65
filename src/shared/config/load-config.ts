import path from 'node:path';
import { StartupError } from '../errors/startup-error.js';
import { type Config, limitsOf, quotasOf } from './config.js';
import { readEnvironment } from './environment.js';
import { keptSecret } from './kept-secret.js';

/** @throws StartupError if a variable is invalid, or the data folder cannot be written to */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const variables = readEnvironment(env);
  const dataDir = path.resolve(variables.DATA_DIR);
  const secretFor = (name: 'JWT_SECRET' | 'LICENSE_SECRET') =>
    variables[name] ?? (variables.MONGODB_URI ? missing(name) : keptSecret(dataDir, name));
  return deepFreeze({
    host: variables.HOST,
    port: variables.PORT,
    metricsPort: variables.METRICS_PORT,
    metricsHost: variables.METRICS_HOST,
    dataDir,
    mongodbUri: variables.MONGODB_URI,
    jwtSecret: secretFor('JWT_SECRET'),
    licenseSecret: secretFor('LICENSE_SECRET'),
    licenseSecretPrevious: variables.LICENSE_SECRET_PREVIOUS,
    keyPrefix: variables.KEY_PREFIX,
    machineId: variables.MACHINE_ID,
    requireFingerprint: variables.REQUIRE_FINGERPRINT,
    certificateDays: variables.CERTIFICATE_DAYS,
    eventDays: variables.EVENT_DAYS,
    trustedProxies: variables.TRUSTED_PROXIES,
    webhookNetworks: variables.WEBHOOK_NETWORKS,
    registration: variables.REGISTRATION,
    corsOrigins: variables.CORS_ORIGINS,
    console: variables.CONSOLE,
    drainSeconds: variables.SHUTDOWN_DRAIN,
    logLevel: variables.LOG_LEVEL,
    limits: limitsOf(variables),
    quotas: quotasOf(variables),
    maxConnections: variables.MAX_CONNECTIONS,
  });
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value) as unknown[]) {
    if (typeof part === 'object' && part !== null) deepFreeze(part);
  }
  return Object.freeze(value);
}

function missing(name: string): never {
  throw new StartupError(
    `${name} must be set with MONGODB_URI: all instances need the same one, ` +
      'made for example by: openssl rand -base64 48.',
  );
}

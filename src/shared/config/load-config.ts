import path from 'node:path';
import { StartupError } from '../errors/startup-error.js';
import { Config } from './config.js';
import { readEnvironment } from './environment.js';
import { generatedSecret } from './generated-secret.js';

/** @throws StartupError if a variable is invalid, the secrets are the same, or the data folder is not writable */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const variables = readEnvironment(env);
  const dataDir = path.resolve(variables.DATA_DIR);
  const secretFor = (name: 'JWT_SECRET' | 'LICENSE_SECRET') =>
    variables[name] ?? (variables.MONGODB_URI ? missing(name) : generatedSecret(dataDir, name));
  const [jwtSecret, licenseSecret] = [secretFor('JWT_SECRET'), secretFor('LICENSE_SECRET')];
  if (jwtSecret === licenseSecret) {
    throw new StartupError('LICENSE_SECRET must be different from JWT_SECRET.');
  }
  return new Config(variables, { dataDir, jwtSecret, licenseSecret });
}

function missing(name: string): never {
  throw new StartupError(
    `${name} must be set if MONGODB_URI is set, to the same value on all instances. ` +
      'Generate one with: openssl rand -base64 48.',
  );
}

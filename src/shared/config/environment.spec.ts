import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { loadDotEnv } from './dotenv.js';
import { readEnvironment, VARIABLES } from './environment.js';

const reading = (env: NodeJS.ProcessEnv) => () => readEnvironment(env);

describe('the environment', () => {
  const DEFAULTS = {
    PORT: 3000,
    HOST: '127.0.0.1',
    DATA_DIR: './data',
    MONGODB_URI: undefined,
    JWT_SECRET: undefined,
    LICENSE_SECRET: undefined,
    LICENSE_SECRET_PREVIOUS: undefined,
    KEY_PREFIX: 'LIC',
    MACHINE_ID: undefined,
    ACTIVATION_LIMIT: 5,
    ACTIVATION_WINDOW: 900,
    VALIDATION_LIMIT: 60,
    VALIDATION_WINDOW: 60,
    VALIDATION_ADDRESS_LIMIT: 3000,
    UNKNOWN_KEY_LIMIT: 20,
    LOGIN_LIMIT: 10,
    REGISTER_LIMIT: 20,
    REFRESH_LIMIT: 60,
    KEY_SET_LIMIT: 300,
    WRITE_LIMIT: 1000,
    EMAIL_CONFLICT_LIMIT: 30,
    CLIENT_QUOTA: 10_000,
    PROJECT_QUOTA: 50_000,
    LICENSE_QUOTA: 200_000,
    IDEMPOTENCY_QUOTA: 50_000,
    MAX_CONNECTIONS: 5000,
    REQUIRE_FINGERPRINT: false,
    CERTIFICATE_DAYS: 7,
    TRUSTED_PROXIES: [],
    REGISTRATION: 'open',
    CORS_ORIGINS: [],
    CONSOLE: true,
    METRICS_PORT: undefined,
    METRICS_HOST: '127.0.0.1',
    SHUTDOWN_DRAIN: 2,
    LOG_LEVEL: 'info',
  };

  it('has the documented defaults', () => {
    expect({ ...readEnvironment({}) }).toEqual(DEFAULTS);
  });

  it.each(['', '   ', '\t\n'])('treats a variable of %j as absent', (blank) => {
    const blanks = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, blank]));
    expect({ ...readEnvironment(blanks) }).toEqual(DEFAULTS);
  });

  it('reports all invalid variables at once', () => {
    expect(reading({ PORT: 'http', LOG_LEVEL: 'info', REGISTRATION: 'maybe' })).toThrow(
      new StartupError(
        'PORT takes a whole number from 0 to 65535. REGISTRATION takes open or first or closed.',
      ),
    );
  });

  it.each([
    'change-me-change-me-change-me-1234',
    'please-CHANGEME-before-production-0',
    'an-example-secret-of-32-bytes-12345',
    'placeholder-for-a-real-secret-01234',
    'your-secret-goes-here-0123456789-ab',
    'supersecret-supersecret-supersecret',
    'insert-a-random-string-here-1234567',
    'replace-this-with-a-random-string-0',
    '00000000000000000000000000000000',
    'abcabcabcabcabcabcabcabcabcabcabcabc',
    '0123456789abcdef0123456789abcdef',
    'dev-key-1/dev-key-1/dev-key-1/dev-key-1/',
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'default-signing-key-0123456789-xyz',
    'correct-password-of-the-production-db',
    // The default of jwt.io.
    'a-string-secret-at-least-256-bits-long',
  ])('S10: rejects the placeholder %s as a secret', (value) => {
    for (const name of ['JWT_SECRET', 'LICENSE_SECRET', 'LICENSE_SECRET_PREVIOUS']) {
      const sentence = `${name} takes a secret of your own, made for example by: openssl rand -base64 48.`;
      expect(reading({ [name]: value })).toThrow(new StartupError(sentence));
    }
  });

  it.each([
    ['JWT_SECRET', 'hunter2'],
    ['LICENSE_SECRET', 'hunter2'],
    ['LICENSE_SECRET_PREVIOUS', 'changeme-hunter2'],
    ['MONGODB_URI', 'mongo://admin:hunter2@db'],
    ['MACHINE_ID', 'hunter2'],
  ])('never repeats the value of a wrong %s', (name, value) => {
    expect(reading({ [name]: value })).toThrow(new RegExp(`^${name} takes `));
    expect(reading({ [name]: value })).not.toThrow('hunter2');
  });
});

describe('loadDotEnv', () => {
  const before = process.cwd();
  const folder = useFolder();
  beforeEach(() => process.chdir(folder()));
  afterEach(() => process.chdir(before));

  it('does nothing without a file', () => {
    expect(loadDotEnv).not.toThrow();
  });

  it('explains a file that cannot be read', () => {
    fs.mkdirSync('.env');
    expect(loadDotEnv).toThrow(StartupError);
    expect(loadDotEnv).toThrow(/^\.env cannot be read: /);
  });
});

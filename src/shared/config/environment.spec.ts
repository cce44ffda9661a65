import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { loadDotEnv } from './dotenv.js';
import { readEnvironment, VARIABLES } from './environment.js';
import { loadConfig } from './load-config.js';

const reading = (env: NodeJS.ProcessEnv) => () => readEnvironment(env);

describe('the environment', () => {
  it.each(['', '   ', '\t\n'])('treats a variable of %j as absent', (blank) => {
    const blanks = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, blank]));
    expect(readEnvironment(blanks)).toEqual(readEnvironment({}));
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
    'supersecret-supersecret-supersecret',
    'insert-a-random-string-here-1234567',
    'replace-this-with-a-random-string-0',
    '00000000000000000000000000000000',
    '0123456789abcdef0123456789abcdef',
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'default-signing-key-0123456789-xyz',
    'correct-password-of-the-production-db',
  ])('S10: rejects the placeholder %s as a secret', (value) => {
    for (const name of ['JWT_SECRET', 'LICENSE_SECRET', 'LICENSE_SECRET_PREVIOUS']) {
      const sentence = `${name} takes a secret of your own, made for example by: openssl rand -base64 48.`;
      expect(reading({ [name]: value })).toThrow(new StartupError(sentence));
    }
  });

  it.each([
    ['JWT_SECRET', 'hunter2'],
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

  it('explains a file that cannot be read', () => {
    fs.mkdirSync('.env');
    expect(loadDotEnv).toThrow(StartupError);
    expect(loadDotEnv).toThrow(/^\.env cannot be read: /);
  });
});

describe('loadConfig', () => {
  const folder = useFolder();
  const SECRETS = {
    JWT_SECRET: 'a-key-for-signing-the-tokens-of-tests',
    LICENSE_SECRET: 'a-key-for-wrapping-the-keys-of-tests-0',
  };
  const load = (env: NodeJS.ProcessEnv) =>
    loadConfig({ ...SECRETS, DATA_DIR: folder('data'), ...env });

  it.each([
    ['activation', 'ACTIVATION_LIMIT', 900],
    ['validation', 'VALIDATION_LIMIT', 60],
    ['validationAddress', 'VALIDATION_ADDRESS_LIMIT', 60],
    ['unknownKeys', 'UNKNOWN_KEY_LIMIT', 900],
    ['loginByAddress', 'LOGIN_LIMIT', 900],
    ['registration', 'REGISTER_LIMIT', 3600],
    ['refresh', 'REFRESH_LIMIT', 60],
    ['keySets', 'KEY_SET_LIMIT', 60],
    ['writes', 'WRITE_LIMIT', 60],
    ['emailConflicts', 'EMAIL_CONFLICT_LIMIT', 3600],
  ] as const)('gives the limit %s the variable %s and %i seconds', (limit, variable, seconds) => {
    expect(load({ [variable]: '7' }).limits[limit]).toEqual({ requests: 7, seconds });
  });

  it('reads the variables that no other test sets', () => {
    const config = load({
      HOST: '::1',
      MACHINE_ID: 'machine-1',
      IDEMPOTENCY_QUOTA: '5',
      MAX_CONNECTIONS: '6',
      ACTIVATION_WINDOW: '2',
      VALIDATION_WINDOW: '4',
      LOGIN_LIMIT: '6',
    });
    expect(config).toMatchObject({
      host: '::1',
      machineId: 'machine-1',
      maxConnections: 6,
      quotas: { idempotencyRecords: 5 },
      limits: {
        activation: { seconds: 2 },
        validation: { seconds: 4 },
        // Three times the failed logins of an address.
        loginByAccount: { requests: 18, seconds: 900 },
      },
    });
  });

  it('prefers secrets that are set, and generates none', () => {
    const { jwtSecret, licenseSecret } = load({});
    expect([jwtSecret, licenseSecret]).toEqual(Object.values(SECRETS));
    expect(fs.existsSync(folder('data'))).toBe(false);
  });

  it.each(['JWT_SECRET', 'LICENSE_SECRET'])('S10: rejects MongoDB without %s', (missing) => {
    const start = () => load({ MONGODB_URI: 'mongodb://db', [missing]: '' });
    expect(start).toThrow(StartupError);
    expect(start).toThrow(`${missing} must be set with MONGODB_URI`);
    expect(fs.existsSync(folder('data'))).toBe(false);
  });
});

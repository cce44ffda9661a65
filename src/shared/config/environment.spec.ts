import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { readEnvironment, VARIABLES } from './environment.js';
import { loadConfig } from './load-config.js';

const reading = (env: NodeJS.ProcessEnv) => () => readEnvironment(env);

describe('the environment', () => {
  it.each(['', '   ', '\t\n'])('treats a variable of %j as absent', (blank) => {
    const blanks = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, blank]));
    expect(readEnvironment(blanks)).toEqual(readEnvironment({}));
  });

  it.each([
    'change-me-change-me-change-me-1234',
    'please-CHANGEME-before-production-0',
    'supersecret-supersecret-supersecret',
    '00000000000000000000000000000000',
    '0123456789abcdef0123456789abcdef',
    'abcdefghijklmnopqrstuvwxyz0123456789',
    ...['an-example', 'placeholder', 'insert', 'replace', 'default', 'password', 'keyboard'].map(
      (word) => `${word}-of-32-bytes-0123456789-xyz`,
    ),
  ])('S10: rejects the placeholder %s as a secret', (value) => {
    for (const name of ['JWT_SECRET', 'LICENSE_SECRET', 'LICENSE_SECRET_PREVIOUS']) {
      const sentence = `${name} must be a secret of your own, for example from: openssl rand -base64 48.`;
      expect(reading({ [name]: value })).toThrow(new StartupError(sentence));
    }
  });

  it.each([
    ['JWT_SECRET', 'hunter2'],
    ['LICENSE_SECRET_PREVIOUS', 'changeme-hunter2'],
    ['MONGODB_URI', 'mongo://admin:hunter2@db'],
    ['MACHINE_ID', 'hunter2'],
    ['SMTP_URL', 'smtp://user:hunter2'],
  ])('never repeats the value of a wrong %s', (name, value) => {
    expect(reading({ [name]: value })).toThrow(new RegExp(`^${name} must be `));
    expect(reading({ [name]: value })).not.toThrow('hunter2');
  });
});

it("rejects a portal on the service's host name, whatever the ports", () => {
  const on = (PORTAL_URL: string) => reading({ PUBLIC_URL: 'http://127.0.0.1:1', PORTAL_URL });
  expect(on('http://127.0.0.1:2')).toThrow(/^PORTAL_URL must have a different host name /);
  expect(on('http://localhost:1')).not.toThrow();
});

it("rejects metrics on the service's port, unless they have another address", () => {
  expect(reading({ METRICS_PORT: '3000' })).toThrow('METRICS_PORT must be different from PORT.');
  expect(reading({ METRICS_PORT: '3000', METRICS_HOST: '127.0.0.2' })).not.toThrow();
});

describe('the variables of mail', () => {
  const FOR_MAIL = { PUBLIC_URL: 'https://a.local', MAIL_FROM: 'a@a.example' };
  const SMTP_URL = 'smtp://user:hunter2@mx.local';

  it('are accepted together, and without credentials for a relay without TLS', () => {
    expect(reading({ ...FOR_MAIL, SMTP_URL })).not.toThrow();
    for (const url of ['smtp://mx.local', 'smtps://a:b@mx.local', 'smtp://a:b@127.0.0.1']) {
      const env = { ...FOR_MAIL, SMTP_URL: url, SMTP_PLAINTEXT: 'true' };
      expect(reading(env)).not.toThrow();
    }
  });

  it.each([
    [{ SMTP_URL }, 'PUBLIC_URL and MAIL_FROM must be set if SMTP_URL is set.'],
    [{ ...FOR_MAIL, SMTP_URL, MAIL_FROM: '' }, 'MAIL_FROM must be set if SMTP_URL is set.'],
    [
      { ...FOR_MAIL, SMTP_URL, SMTP_PLAINTEXT: 'true' },
      'SMTP_URL must have no user and password if SMTP_PLAINTEXT is true, because they would be sent unencrypted.',
    ],
  ])('are rejected as contradictory: %j', (env, sentence) => {
    expect(reading(env)).toThrow(new StartupError(sentence));
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

  // The others are covered in test/e2e/security/abuse-limits.cases.ts and test/e2e/auth/login.cases.ts.
  it.each([
    ['validationAddress', 'VALIDATION_ADDRESS_LIMIT', 1, 60],
    ['loginFromKnownAddress', 'GUESS_LIMIT', 1, 900],
    ['loginInSession', 'GUESS_LIMIT', 3, 900],
  ] as const)(
    'derives the limit %s from %s times %i in %i seconds',
    (name, variable, times, seconds) => {
      const limit = load({ [variable]: '7' }).limits[name];
      expect(limit).toEqual({ name, requests: 7 * times, seconds });
    },
  );

  it('reads the variables not covered by other tests', () => {
    const config = load({
      HOST: '::1',
      MACHINE_ID: 'machine-1',
      WRITE_LIMIT: '2',
      MAX_CONNECTIONS: '6',
    });
    expect(config).toMatchObject({
      host: '::1',
      machineId: 'machine-1',
      maxConnections: 6,
      quotas: { idempotencyRecords: 100 },
    });
  });

  it('uses secrets from variables without generating any', () => {
    const { jwtSecret, licenseSecret } = load({});
    expect([jwtSecret, licenseSecret]).toEqual(Object.values(SECRETS));
    expect(fs.existsSync(folder('data'))).toBe(false);
  });

  it('S10: rejects one secret for two purposes, from a variable or a file', () => {
    const { JWT_SECRET } = SECRETS;
    expect(() => load({ LICENSE_SECRET: JWT_SECRET })).toThrow(/different from JWT_SECRET/);
    fs.mkdirSync(folder('data'));
    fs.writeFileSync(folder('data', 'license-secret'), JWT_SECRET);
    expect(() => load({ LICENSE_SECRET: '' })).toThrow(/different from JWT_SECRET/);
  });

  it.each(['JWT_SECRET', 'LICENSE_SECRET'])('S10: rejects MongoDB without %s', (missing) => {
    const start = () => load({ MONGODB_URI: 'mongodb://db', [missing]: '' });
    expect(start).toThrow(StartupError);
    expect(start).toThrow(`${missing} must be set if MONGODB_URI is set`);
    expect(fs.existsSync(folder('data'))).toBe(false);
  });
});

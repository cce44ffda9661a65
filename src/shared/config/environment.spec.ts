import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { loadDotEnv } from './dotenv.js';
import { readEnvironment, VARIABLES } from './environment.js';

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

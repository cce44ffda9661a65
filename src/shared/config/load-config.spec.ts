import fs from 'node:fs';
import { useFolder } from '../../../test/use-folder.js';
import { StartupError } from '../errors/startup-error.js';
import { loadConfig } from './load-config.js';

const JWT_SECRET = 'a-key-for-signing-the-tokens-of-tests';
const LICENSE_SECRET = 'a-key-for-wrapping-the-keys-of-tests-0';

describe('loadConfig', () => {
  const folder = useFolder();
  let DATA_DIR: string;
  beforeEach(() => void (DATA_DIR = folder('data')));

  it('gives each quota and limit its own variables, and an account three times the failed logins of an address', () => {
    const config = loadConfig({
      DATA_DIR,
      JWT_SECRET,
      LICENSE_SECRET,
      HOST: '::1',
      MACHINE_ID: 'machine-1',
      CLIENT_QUOTA: '2',
      PROJECT_QUOTA: '3',
      LICENSE_QUOTA: '4',
      IDEMPOTENCY_QUOTA: '5',
      MAX_CONNECTIONS: '6',
      ACTIVATION_LIMIT: '1',
      ACTIVATION_WINDOW: '2',
      VALIDATION_LIMIT: '3',
      VALIDATION_WINDOW: '4',
      UNKNOWN_KEY_LIMIT: '5',
      LOGIN_LIMIT: '6',
      REGISTER_LIMIT: '7',
      VALIDATION_ADDRESS_LIMIT: '8',
      REFRESH_LIMIT: '9',
      WRITE_LIMIT: '10',
      EMAIL_CONFLICT_LIMIT: '11',
      KEY_SET_LIMIT: '12',
    });
    // The variables that no other test sets.
    expect(config).toMatchObject({
      host: '::1',
      machineId: 'machine-1',
      quotas: { clients: 2, projects: 3, licenses: 4, idempotencyRecords: 5 },
      maxConnections: 6,
    });
    expect(config.limits).toEqual({
      activation: { requests: 1, seconds: 2 },
      validation: { requests: 3, seconds: 4 },
      validationAddress: { requests: 8, seconds: 60 },
      unknownKeys: { requests: 5, seconds: 900 },
      loginByAddress: { requests: 6, seconds: 900 },
      loginByAccount: { requests: 18, seconds: 900 },
      registration: { requests: 7, seconds: 3600 },
      refresh: { requests: 9, seconds: 60 },
      keySets: { requests: 12, seconds: 60 },
      writes: { requests: 10, seconds: 60 },
      emailConflicts: { requests: 11, seconds: 3600 },
    });
  });

  it('prefers secrets that are set, and generates none', () => {
    const config = loadConfig({ DATA_DIR, JWT_SECRET, LICENSE_SECRET });
    expect(config).toMatchObject({ jwtSecret: JWT_SECRET, licenseSecret: LICENSE_SECRET });
    expect(fs.existsSync(DATA_DIR)).toBe(false);
  });

  it.each(['JWT_SECRET', 'LICENSE_SECRET'])('S10: rejects MongoDB without %s', (missing) => {
    const env = {
      DATA_DIR,
      MONGODB_URI: 'mongodb://db',
      JWT_SECRET,
      LICENSE_SECRET,
      [missing]: '',
    };
    expect(() => loadConfig(env)).toThrow(StartupError);
    expect(() => loadConfig(env)).toThrow(`${missing} must be set with MONGODB_URI`);
    expect(fs.existsSync(DATA_DIR)).toBe(false);
  });
});

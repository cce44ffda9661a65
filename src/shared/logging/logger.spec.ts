import { newRefreshToken } from '../../auth/sessions/session.js';
import { createLogger, maskSecrets } from './logger.js';
import { StoreLog } from './store-log.js';

/** The logged form of a record. */
function logged(record: object, message = 'message'): Record<string, unknown> {
  let line = '';
  createLogger({ logLevel: 'info' }, { write: (text) => (line = text) }).info(record, message);
  return JSON.parse(line) as Record<string, unknown>;
}

const KEY = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';
const HASH = 'Zr8w0Yt3bq1V5xk9Uc7PjM2sHdA4nGfLeQ6oIiTzEvB';
const JWT =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI2NjVmIn0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';
const HIDDEN = '[Redacted]';

describe('S12: the log', () => {
  it('redacts fields named like a secret, at every logged depth', () => {
    const names = ['key', 'password', 'fingerprint', 'authorization', 'jwtSecret', 'mongodbUri'];
    const secrets = Object.fromEntries(names.map((name) => [name, 'a secret']));
    const hidden = Object.fromEntries(names.map((name) => [name, HIDDEN]));
    const record = { ...secrets, body: { ...secrets, request: { ...secrets, more: secrets } } };

    expect(logged(record)).toMatchObject({
      ...hidden,
      body: { ...hidden, request: { ...hidden, more: hidden } },
    });
    expect(record.body.request.more.key).toBe('a secret');
  });

  it('logs only the type, message, code and stack of an error and its causes', () => {
    const cause = new Error('E11000 dup key: { email: "ada@studio.example" }');
    const error = Object.assign(new Error('it broke', { cause }), {
      ...{ code: 11000, keyValue: { email: 'ada@studio.example' }, request: { url: '/x?key=y' } },
    });

    expect(logged({ err: error }).err).toEqual({
      ...{ type: 'Error', code: 11000 },
      message: 'it broke: E11000 dup key: {[Redacted]}',
      stack: expect.stringMatching(/^Error: it broke\n.+\ncaused by: Error: E11000 /s) as string,
    });
  });

  it.each([
    ['a text', { type: 'string', message: 'a text' }],
    [Object.create(null), { type: 'object', message: '[object Object]' }],
    [{ password: 'a' }, { type: 'object', message: '[object Object]' }],
  ])('logs the type of a thrown %j', (thrown: unknown, record) => {
    expect(logged({ err: thrown }).err).toEqual(record);
  });

  it('truncates messages to 8 KB', () => {
    const { message } = logged({ err: new Error('x'.repeat(100_000)) }).err as Error;
    expect(message).toHaveLength(8192);
  });

  it('masks keys and tokens in messages, and omits the URL of a request', () => {
    const request = { method: 'GET', url: '/licenses/LIC-1', headers: {} };

    expect(logged({ req: request }, `no ${KEY}`)).toMatchObject({
      req: { method: 'GET' },
      msg: 'no LIC-[Redacted]',
    });
    expect(JSON.stringify(logged({ req: request }))).not.toContain('/licenses');
  });
});

describe('S12: maskSecrets', () => {
  it.each([
    ['a license key', `no license ${KEY}, sorry`, 'no license LIC-[Redacted], sorry'],
    ['one in a URL', `GET /x?k=${KEY.replaceAll('-', '%2d')}`, 'GET /x?k=LIC%2d[Redacted]'],
    ['an access token', `Bearer ${JWT}`, 'Bearer [Redacted]'],
    ['a truncated one', `Bearer ${JWT.slice(0, 50)}`, 'Bearer [Redacted]'],
    ['a refresh token', `"${newRefreshToken()}"`, '"[Redacted]"'],
    ['the hash of one', `"${HASH}"`, '"[Redacted]"'],
    ['an email address', 'no account of ada+x@studio.example.', 'no account of [Redacted]'],
    ['one with non-ASCII letters', 'no ädä@stüdio.example here', 'no [Redacted] here'],
    [
      'the password of a database',
      'mongodb://admin:hunter2@db1,db2/licenses',
      'mongodb://admin:[Redacted]/licenses',
    ],
    [
      'the value in a duplicate key error of MongoDB',
      'E11000 duplicate key error collection: test.clients index: email_1 dup key: { email: "Ada Lovelace" }',
      'E11000 duplicate key error collection: test.clients index: email_1 dup key: {[Redacted]}',
    ],
  ])('hides %s', (_case, text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it.each([
    'connect ECONNREFUSED 10.0.0.5:27017',
    'at Module._compile (node:internal/modules/cjs/loader:1521:14)',
    'at f (file:///srv/app/node_modules/@nestjs/core/router/router-execution-context.js:46:28)',
    'request 0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55 of license 665f1c2ab7e4a90012345678',
  ])('leaves %s unchanged', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});

describe('StoreLog', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('logs once when the store has been unreachable for 2 s and once when it is back, and reports the outage', () => {
    const lines: unknown[] = [];
    const write = (line: string) => lines.push(JSON.parse(line));
    const log = new StoreLog(createLogger({ logLevel: 'info' }, { write }));
    log.record(true);
    log.record(false);
    jest.advanceTimersByTime(1000);
    log.record(false);
    jest.advanceTimersByTime(999);
    expect([log.isReachable, lines]).toEqual([true, []]);
    jest.advanceTimersByTime(1);
    expect(log.isReachable).toBe(false);
    jest.advanceTimersByTime(2250);
    log.record(true);
    log.record(true);
    expect(log.isReachable).toBe(true);
    expect(lines).toMatchObject([
      { level: 50, msg: 'the store is unreachable' },
      { level: 30, msg: 'the store is reachable again', seconds: 4.3 },
    ]);
  });
});

import { createLogger } from './logger.js';

/** The logged form of a record. */
function logged(record: object, message = 'message'): Record<string, unknown> {
  let line = '';
  createLogger({ logLevel: 'info' }, { write: (text) => (line = text) }).info(record, message);
  return JSON.parse(line) as Record<string, unknown>;
}

const KEY = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';
const HIDDEN = '[Redacted]';

describe('S12: the log', () => {
  it('redacts fields with the name of a secret, at every logged depth', () => {
    const secrets = {
      key: 'a',
      password: 'b',
      fingerprint: 'c',
      authorization: 'd',
      jwtSecret: 'e',
      mongodbUri: 'f',
    };
    const record = { ...secrets, body: { ...secrets, request: { ...secrets, more: secrets } } };
    const hidden = Object.fromEntries(Object.keys(secrets).map((name) => [name, HIDDEN]));

    expect(logged(record)).toMatchObject({
      ...hidden,
      body: { ...hidden, request: { ...hidden, more: hidden } },
    });
    expect(record.body.request.more.key).toBe('a');
  });

  it('logs the type, message, code and stack of an error and its causes, and none of its other fields', () => {
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

  it('logs the cause of an outage as an error, without its stack', () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.5:27017');

    expect(logged({ cause }).cause).toEqual({ type: 'Error', message: cause.message });
  });

  it.each([
    ['a text', { type: 'string', message: 'a text' }],
    [null, { type: 'object', message: '[object Null]' }],
    [Object.create(null), { type: 'object', message: '[object Object]' }],
    [{ password: 'a' }, { type: 'object', message: '[object Object]' }],
  ])('logs the type of a thrown %j', (thrown: unknown, record) => {
    expect(logged({ err: thrown }).err).toEqual(record);
  });

  it('logs at most 8 KB of a message', () => {
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

  it('logs everything else unchanged', () => {
    const record = { method: 'GET', at: new Date(0), list: [1, { name: 'x' }], nothing: null };

    expect(logged(record)).toMatchObject({
      ...{ level: 30, msg: 'message', method: 'GET', at: '1970-01-01T00:00:00.000Z' },
      ...{ list: [1, { name: 'x' }], nothing: null },
    });
  });
});

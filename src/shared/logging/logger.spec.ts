import { createLogger } from './logger.js';

/** What is logged of a record. */
function logged(record: object, message = 'told'): Record<string, unknown> {
  let line = '';
  createLogger({ logLevel: 'info' }, { write: (text) => (line = text) }).info(record, message);
  return JSON.parse(line) as Record<string, unknown>;
}

const KEY = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';
const HIDDEN = '[Redacted]';

describe('S12: the log', () => {
  it('hides what has the name of a secret, at every depth to which objects are logged whole', () => {
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

  it('has of an error its type, message, code and stack, with its causes, and nothing that is attached to it', () => {
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
    [null, { type: 'object', message: '[object Null]' }],
    [Object.create(null), { type: 'object', message: '[object Object]' }],
    [{ password: 'a' }, { type: 'object', message: '[object Object]' }],
  ])('has of %j that was thrown what it is', (thrown: unknown, record) => {
    expect(logged({ err: thrown }).err).toEqual(record);
  });

  it('has no more than 8 KB of a message', () => {
    const { message } = logged({ err: new Error('x'.repeat(100_000)) }).err as Error;
    expect(message).toHaveLength(8192);
  });

  it('hides keys and tokens in messages, and the URL of a request', () => {
    const request = { method: 'GET', url: '/licenses/LIC-1', headers: {} };

    expect(logged({ req: request }, `no ${KEY}`)).toMatchObject({
      req: { method: 'GET' },
      msg: 'no LIC-[Redacted]',
    });
    expect(JSON.stringify(logged({ req: request }))).not.toContain('/licenses');
  });

  it('leaves everything else as it is', () => {
    const record = { method: 'GET', at: new Date(0), list: [1, { name: 'x' }], nothing: null };

    expect(logged(record)).toMatchObject({
      ...{ level: 30, msg: 'told', method: 'GET', at: '1970-01-01T00:00:00.000Z' },
      ...{ list: [1, { name: 'x' }], nothing: null },
    });
  });
});

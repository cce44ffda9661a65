import { createLogger } from './logger.js';

/** What is logged of a record. */
function logged(record: object): Record<string, unknown> {
  let line = '';
  createLogger({ logLevel: 'info' }, { write: (text) => (line = text) }).info(record, 'told');
  return JSON.parse(line) as Record<string, unknown>;
}

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

  it('hides them in errors too, and keeps what an error tells', () => {
    const error = Object.assign(new Error('it broke'), { keyValue: { key: 'a', name: 'Acme' } });

    expect(logged({ err: error }).err).toMatchObject({
      ...{
        type: 'Error',
        message: 'it broke',
        stack: expect.stringContaining('it broke') as string,
      },
      keyValue: { key: HIDDEN, name: 'Acme' },
    });
  });

  it('leaves everything else as it is', () => {
    const record = { method: 'GET', at: new Date(0), list: [1, { name: 'x' }], nothing: null };

    expect(logged(record)).toMatchObject({
      ...{ level: 30, msg: 'told', method: 'GET', at: '1970-01-01T00:00:00.000Z' },
      ...{ list: [1, { name: 'x' }], nothing: null },
    });
  });
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { AccountsService } from '../../../src/auth/accounts/accounts.service.js';
import { useApp } from '../use-app.js';

const BODY = JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery' });
const HEAD =
  'POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${BODY.length}\r\n\r\n`;
const ABORTED = {
  ...{ level: 30, time: expect.any(String), reqId: expect.any(String), msg: 'request' },
  ...{ ms: expect.any(Number), ip: '127.0.0.1', aborted: true, method: 'POST' },
};
const LONG = `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}`;
const CLOSE = 'Connection: close';

describe('A connection', () => {
  // No other one is open.
  const app = useApp({});

  /** A connection, and when the service's end of it is closed. */
  async function open() {
    const { hostname: host, port } = new URL(app.url);
    const accepted = once(app.nest.getHttpServer(), 'connection');
    const caller = connect({ host, port: Number(port), allowHalfOpen: true });
    await once(
      caller.on('error', () => undefined),
      'connect',
    );
    const [served] = (await accepted) as [Socket];
    return { caller, closed: new Promise((resolve) => served.once('close', resolve)) };
  }

  describe('whose caller disconnects', () => {
    let logged: number;
    beforeEach(() => (logged = app.log.length));

    /** Every line but those of security events: an aborted login is one all the same. */
    const lines = () => app.log.slice(logged).filter((line) => !line.includes('"msg":"security"'));

    async function nextLines(): Promise<object[]> {
      while (lines().length === 0) await new Promise(setImmediate);
      // A second line of the same request would follow at once.
      for (let tick = 0; tick < 20; tick += 1) await new Promise(setImmediate);
      return lines().map((line) => JSON.parse(line) as object);
    }

    it.each([
      ['resets the connection', HEAD, { route: '/auth/login' }],
      ['reaches no route', HEAD.replace('/auth/login', '/nowhere'), { path: '/nowhere' }],
    ])(
      'while it sends the body, and %s, is one line without a failure',
      async (_how, head, place) => {
        const { caller } = await open();
        const arrived = once(app.nest.getHttpServer(), 'request');
        caller.write(head + BODY.slice(0, 10));
        await arrived;
        caller.resetAndDestroy();

        expect(await nextLines()).toEqual([{ ...ABORTED, ...place }]);
      },
    );

    it('while the request is worked on is one line without a failure', async () => {
      const { caller, closed } = await open();
      let proceed: (user: null) => void = () => undefined;
      const begun = new Promise<void>((resolve) => {
        jest.spyOn(app.nest.get(AccountsService), 'findByEmail').mockImplementationOnce(() => {
          resolve();
          return new Promise((found) => (proceed = found));
        });
      });
      caller.write(HEAD + BODY);
      await begun;
      caller.resetAndDestroy();
      await closed;
      proceed(null);

      expect(await nextLines()).toEqual([{ ...ABORTED, route: '/auth/login' }]);
    });
  });

  it.each([
    ['an invalid request line', 'NONSENSE\r\n\r\n', 400, 'BAD_REQUEST'],
    ['two hosts', `GET /x HTTP/1.1\r\nHost: a\r\nhost: a\r\n${CLOSE}\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['headers of more than 16 KiB', `${LONG}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['a header that never ends', LONG, 431, 'HEADERS_TOO_LARGE'],
    ['no path', `GET *x HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n\r\n`, 404, 'ROUTE_NOT_FOUND'],
  ])(
    'that sends %s gets the body of every error, and is closed',
    async (_case, bytes, status, code) => {
      const { caller, closed } = await open();
      caller.write(bytes);
      const [head = '', json = ''] = (await text(caller)).split('\r\n\r\n');
      await closed;
      caller.destroy();
      const body = JSON.parse(json) as { requestId: string };

      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(body).toMatchObject({ message: expect.any(String), code });
      expect(head.toLowerCase()).toContain(`x-request-id: ${body.requestId}`);
      expect(head.toLowerCase()).toContain('cache-control: no-store');
    },
  );
});

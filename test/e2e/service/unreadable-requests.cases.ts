import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { useApp } from '../use-app.js';

const LONG = `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}`;

describe('Bytes that are no HTTP request', () => {
  // No other connection is open.
  const app = useApp({});

  /** The head and the parsed body of the response to raw bytes, and that the service then closes the connection. */
  async function responseTo(bytes: string) {
    const { hostname, port } = new URL(app.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    await once(socket, 'connect');
    socket.on('error', () => undefined).write(bytes);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    const open = () =>
      new Promise((resolve) =>
        app.nest.getHttpServer().getConnections((_error: unknown, count: number) => resolve(count)),
      );
    while ((await open()) !== 0) await new Promise(setImmediate);
    socket.destroy();
    return { head: head.toLowerCase(), body: JSON.parse(body) };
  }

  const CLOSE = 'Connection: close';
  it.each([
    ['an invalid request line', 'NONSENSE\r\n\r\n', 400, 'BAD_REQUEST'],
    ['two hosts', `GET /x HTTP/1.1\r\nHost: a\r\nhost: a\r\n${CLOSE}\r\n\r\n`, 400, 'BAD_REQUEST'],
    ['headers of more than 16 KiB', `${LONG}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['a header that never ends', LONG, 431, 'HEADERS_TOO_LARGE'],
    ['no path', `GET *x HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n\r\n`, 404, 'ROUTE_NOT_FOUND'],
  ])(
    'get the body of every error, and leave no connection open: %s',
    async (_case, bytes, status, code) => {
      const { head, body } = await responseTo(bytes);

      expect(head).toMatch(new RegExp(`^http/1.1 ${status} `));
      expect(body).toMatchObject({ message: expect.any(String), code });
      expect(head).toContain(`x-request-id: ${body.requestId}`);
      expect(head).toContain('cache-control: no-store');
    },
  );
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { useApp } from '../use-app.js';

describe('Bytes that are no HTTP request', () => {
  const app = useApp('SQLite');

  /** The head and the parsed body of the response to raw bytes. */
  async function responseTo(bytes: string) {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(bytes);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { head, body: JSON.parse(body) };
  }

  it.each([
    ['an invalid request line', 'NONSENSE\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'two lengths that differ',
      'POST /clients HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'BAD_REQUEST',
    ],
    [
      'headers of more than 16 KiB',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
  ])('get the body of every error: %s', async (_case, bytes, status, code) => {
    const { head, body } = await responseTo(bytes);

    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(body).toMatchObject({ message: expect.any(String), code });
    expect(head).toContain(`X-Request-Id: ${body.requestId}`);
    expect(head).toContain('Cache-Control: no-store');
  });

  it.each([
    ['an invalid request line', 'NONSENSE\r\n\r\n'],
    ['a header that never ends', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}`],
  ])('leave no connection open that the caller does not close: %s', async (_case, bytes) => {
    const { hostname, port } = new URL(app.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    await once(socket, 'connect');
    socket.on('error', () => undefined).resume();
    socket.write(bytes);
    await once(socket, 'end');

    const open = () =>
      new Promise((resolve) =>
        app.nest.getHttpServer().getConnections((_error: unknown, count: number) => resolve(count)),
      );
    while ((await open()) !== 0) await new Promise(setImmediate);
    socket.destroy();
  });

  it('404 with the headers of every response for a target that is no path', async () => {
    const { head, body } = await responseTo(
      'GET *x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );

    expect(head).toMatch(/^HTTP\/1.1 404 /);
    expect(body).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    expect(head.toLowerCase()).toContain(`x-request-id: ${body.requestId}`);
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(head.toLowerCase()).toContain('cache-control: no-store');
  });
});

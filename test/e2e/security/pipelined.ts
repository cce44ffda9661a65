import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * Sends requests to activate an unknown key over one connection, without waiting for the answers: ten
 * thousand of them take a second or two.
 *
 * @param requests the headers of each
 * @param localAddress the caller's own address
 * @returns the statuses of the answers, in their order
 */
export async function activatePipelined(
  url: string,
  requests: readonly Readonly<Record<string, string>>[],
  localAddress = '127.0.0.1',
): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  await once(socket, 'connect');
  const bytes = requests.map((headers, i) => {
    const last = i === requests.length - 1 ? { Connection: 'close' } : {};
    const lines = Object.entries({ ...HEADERS, ...headers, ...last });
    return `${LINE}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${BODY}`;
  });
  socket.write(bytes.join(''));
  const answers = await text(socket);
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

const LINE = 'POST /validate/activate HTTP/1.1';
const BODY = JSON.stringify({ key: `LIC-${'0'.repeat(24)}-AAAA-BBBB-CCCC` });
const HEADERS = {
  Host: 'licenses.example',
  'Content-Type': 'application/json',
  'Content-Length': String(BODY.length),
};

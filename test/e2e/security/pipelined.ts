import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { MAX_PIPELINED } from '../../../src/server/overload/connections.js';
import { unknownKey } from '../developer.js';

/**
 * Sends requests to activate an unknown key over one connection, as many at a time as the service allows: ten
 * thousand of them take some seconds.
 *
 * @param requests the headers of each
 * @param localAddress the caller's own address
 * @returns the statuses of the responses, in their order
 */
export async function activatePipelined(
  url: string,
  requests: readonly Readonly<Record<string, string>>[],
  localAddress = '127.0.0.1',
): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  await once(socket, 'connect');
  const responses = createInterface({ input: socket })[Symbol.asyncIterator]();
  const statuses: number[] = [];
  for (let first = 0; first < requests.length; first += MAX_PIPELINED) {
    const batch = requests.slice(first, first + MAX_PIPELINED);
    socket.write(batch.map(onTheWire).join(''));
    const end = statuses.length + batch.length;
    while (statuses.length < end) {
      const { value, done } = await responses.next();
      if (done) throw new Error(`The connection ended after ${statuses.length} responses`);
      const [, status] = /HTTP\/1\.1 (\d{3}) /.exec(String(value)) ?? [];
      if (status) statuses.push(Number(status));
    }
  }
  socket.destroy();
  return statuses;
}

function onTheWire(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...HEADERS, ...headers });
  return `${LINE}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${BODY}`;
}

const LINE = 'POST /validate/activate HTTP/1.1';
const BODY = JSON.stringify({ key: unknownKey() });
const HEADERS = {
  Host: 'licenses.example',
  'Content-Type': 'application/json',
  'Content-Length': String(BODY.length),
};

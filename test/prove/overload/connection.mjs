import { once } from 'node:events';
import net from 'node:net';

/** The end of a chunked body. */
const LAST_CHUNK = '0\r\n\r\n';

/**
 * A connection with one request at a time. It parses as little of a response as it needs, to use little CPU time.
 *
 * Calls `onResponse` of its load for each response, and `onClosed` once, when it is closed.
 */
export class Connection {
  #socket;
  #load;
  #head = '';
  /** The parsed head of the current response; undefined until all of it has arrived. */
  #response;

  /** @param {string} address of the caller */
  static async open(url, load, address) {
    const { hostname, port } = new URL(url);
    const options = { host: hostname, port: Number(port), localAddress: address };
    const socket = net.connect(options).setNoDelay();
    await once(socket, 'connect');
    return new Connection(socket, load);
  }

  constructor(socket, load) {
    this.#socket = socket.setEncoding('latin1');
    this.#load = load;
    let reason = 'closed';
    socket.on('error', ({ code }) => (reason = code));
    socket.on('close', () => load.onClosed(this, reason));
    socket.on('data', (text) => this.#read(text));
  }

  send(text) {
    this.#socket.write(text, 'latin1');
  }

  destroy() {
    this.#socket.destroy();
  }

  #read(text) {
    const body = this.#response ? text : this.#readHead(text);
    if (body === undefined || !this.#hasAll(body)) return;
    const { status, hasRetryAfter } = this.#response;
    this.#response = undefined;
    this.#load.onResponse(this, { status, hasRetryAfter });
  }

  /** @returns {string | undefined} the first part of the body; undefined while the head is not complete */
  #readHead(text) {
    this.#head += text;
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const head = this.#head.slice(0, end + 2);
    const body = this.#head.slice(end + 4);
    this.#head = '';
    const status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    const [, length = 0] = /^content-length: (\d+)\r$/im.exec(head) ?? [];
    this.#response = {
      status,
      missing: Number(length),
      isChunked: /^transfer-encoding: chunked\r$/im.test(head),
      tail: '',
      hasRetryAfter: status >= 429 && /^retry-after: [1-9]\d*\r$/im.test(head),
    };
    return body;
  }

  #hasAll(body) {
    const response = this.#response;
    if (response.isChunked) {
      response.tail = (response.tail + body).slice(-LAST_CHUNK.length);
      return response.tail === LAST_CHUNK;
    }
    response.missing -= body.length;
    return response.missing <= 0;
  }
}

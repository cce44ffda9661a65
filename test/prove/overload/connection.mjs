import { once } from 'node:events';
import net from 'node:net';

/** A connection with one request at a time. It reads no more of an answer than is asked, as it must cost little. */
export class Connection {
  #socket;
  #load;
  #due = 0;
  #received = '';

  static async open(url, load) {
    const { hostname, port } = new URL(url);
    const socket = net.connect(Number(port), hostname).setNoDelay();
    await once(socket, 'connect');
    return new Connection(socket, load);
  }

  constructor(socket, load) {
    this.#socket = socket.setEncoding('latin1');
    this.#load = load;
    socket.on('error', ({ code }) => load.onFailure(code));
    socket.on('end', () => load.onFailure('closed'));
    socket.on('data', (text) => this.#read(text));
  }

  /** @param {number} due when the request should have been sent */
  send(text, due) {
    this.#due = due;
    this.#socket.write(text, 'latin1');
  }

  #read(text) {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    const [, length = 0] = /^content-length: (\d+)\r$/im.exec(this.#received) ?? [];
    if (end < 0 || this.#received.length < end + 4 + Number(length)) return;
    const head = this.#received.slice(0, end + 2);
    this.#received = '';
    const status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    const hasRetryAfter = status >= 500 && /^retry-after: [1-9]\d*\r$/im.test(head);
    this.#load.onAnswer(this, { due: this.#due, status, hasRetryAfter });
  }
}

// Generates load from many concurrent callers, each with a connection: see load.ts.
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Callers started per millisecond: all at the same time would overflow the listener's queue. */
const BEGIN_EACH_MS = 10;
/** Delay before a caller reconnects, in milliseconds. */
const REOPEN_AFTER = 500;
/** Maximum time until all connections are open, in milliseconds; a full service opens none. */
const OPENING = 5_000;
/** How often due requests are sent, in milliseconds. */
const SENDING_INTERVAL = 2;
/** Timeout for the last responses, in milliseconds. */
const LAST_RESPONSES = 10_000;

class Load {
  #job;
  #requestAt;
  #isOver = false;
  #open = new Map();
  /** Connections, or the addresses of callers that open one per request. Used in rotation: the service closes idle connections. */
  #idle = [];
  /** The due times of requests that found no idle connection. They are sent late, and timed from when they were due. */
  #overdue = [];
  #served = [];
  #result = { statuses: {}, failures: {}, closed: {}, opened: 0, sent: 0 };
  #accepts;

  constructor(job) {
    this.#job = job;
    this.#requestAt = rotationOf(job.requests);
    this.#accepts = job.accepts && new RegExp(job.accepts);
  }

  async run() {
    const { network, callers, callersPerAddress, seconds, rate } = this.#job;
    const opening = Array.from({ length: callers }, async (_, number) => {
      await setTimeout(number / BEGIN_EACH_MS);
      const index = Math.floor(number / callersPerAddress);
      await this.#begin(`127.${network}.${index >> 8}.${index & 255}`);
    });
    if (rate) await Promise.race([Promise.all(opening), setTimeout(OPENING)]);
    const begun = performance.now();
    const end = begun + seconds * 1000;
    for (let due = begun; performance.now() < end; await setTimeout(SENDING_INTERVAL)) {
      for (; rate && due <= performance.now(); due += 1000 / rate) this.#overdue.push(due);
      while (this.#overdue.length > 0 && this.#idle.length > 0) {
        const caller = this.#idle.shift();
        if (this.#job.reopens) void this.#sendOnce(caller, this.#overdue.shift());
        else this.#next(caller);
      }
    }
    this.#isOver = true;
    const perSecond = (this.#served.length * 1000) / (performance.now() - begun);
    const waiting = () => [...this.#open.values()].filter(({ due }) => due !== undefined).length;
    while (waiting() > 0 && performance.now() < end + LAST_RESPONSES) await setTimeout(10);
    this.#served.sort((a, b) => a - b);
    const [p50, p99] = [0.5, 0.99].map((share) => Math.round(percentile(this.#served, share)));
    const { expects } = this.#job;
    if (expects && !this.#result.statuses[expects]) count(this.#result.failures, `no ${expects}`);
    const unsent = this.#overdue.length;
    const slowest = Math.round(this.#served.at(-1) ?? Infinity);
    return { ...this.#result, p50, p99, slowest, perSecond, unsent, withoutResponse: waiting() };
  }

  get readsBodies() {
    return this.#accepts !== undefined;
  }

  onResponse(connection, { status, hasRetryAfter, text }) {
    const caller = this.#open.get(connection);
    // Among 500 responses, only the specified one for a late store has Retry-After.
    const isWrong = status === 200 && this.#accepts && !this.#accepts.test(text);
    const outcome = status === 500 && hasRetryAfter ? 'late' : status;
    count(this.#result.statuses, isWrong ? text : outcome);
    const isRejected = status === 429 || status === 503;
    if (!isRejected) this.#served.push(performance.now() - caller.due);
    if ((isRejected || status >= 500) && !hasRetryAfter) {
      count(this.#result.failures, `${status} without Retry-After`);
    }
    caller.due = undefined;
    if (this.#job.reopens) connection.close();
    else if (!this.#isOver && !this.#job.holds) this.#next(connection);
  }

  async onClosed(connection, reason) {
    const { address, due } = this.#open.get(connection);
    if (this.#job.rate && due !== undefined) count(this.#result.failures, 'closed');
    this.#open.delete(connection);
    this.#idle = this.#idle.filter((other) => other !== connection);
    count(this.#result.closed, reason);
    await setTimeout(REOPEN_AFTER);
    await this.#begin(address);
  }

  async #begin(address) {
    if (this.#job.reopens) return this.#idle.push(address);
    while (!this.#isOver) {
      try {
        const connection = await Connection.open(this.#job.url, this, address);
        this.#result.opened += 1;
        this.#open.set(connection, { address });
        return this.#next(connection);
      } catch ({ code }) {
        count(this.#result.closed, code);
        await setTimeout(REOPEN_AFTER);
      }
    }
  }

  /** Sends a due request on a new connection. */
  async #sendOnce(address, due) {
    try {
      const connection = await Connection.open(this.#job.url, this, address);
      this.#result.opened += 1;
      this.#open.set(connection, { address, due });
      connection.send(this.#requestAt(this.#result.sent++));
    } catch ({ code }) {
      count(this.#result.failures, code);
      await this.#begin(address);
    }
  }

  /** Sends the next due request, from an idle caller. */
  #next(connection) {
    const due = this.#job.rate ? this.#overdue.shift() : performance.now();
    if (due === undefined) return this.#idle.push(connection);
    this.#open.get(connection).due = due;
    connection.send(this.#requestAt(this.#result.sent++));
  }
}

const LAST_CHUNK = '0\r\n\r\n';

/**
 * A connection with one request at a time. Parses as little of a response as possible, to save CPU time.
 *
 * Calls `onResponse` of its load for each response, and `onClosed` once when it closes.
 */
class Connection {
  #socket;
  #load;
  #head = '';
  /** The parsed head of the current response; undefined until it is complete. */
  #response;

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

  close() {
    this.#socket.destroy();
  }

  #read(text) {
    const body = this.#response ? text : this.#readHead(text);
    if (body === undefined || !this.#hasAll(body)) return;
    const response = this.#response;
    this.#response = undefined;
    this.#load.onResponse(this, response);
  }

  /** @returns {string | undefined} the first part of the body; undefined until the head is complete */
  #readHead(text) {
    this.#head += text;
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const head = this.#head.slice(0, end + 2);
    const body = this.#head.slice(end + 4);
    this.#head = '';
    const status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    this.#response = {
      status,
      missing: Number(/^content-length: (\d+)\r$/im.exec(head)?.[1] ?? 0),
      isChunked: /^transfer-encoding: chunked\r$/im.test(head),
      tail: '',
      text: '',
      hasRetryAfter: status >= 429 && /^retry-after: [1-9]\d*\r$/im.test(head),
    };
    return body;
  }

  #hasAll(body) {
    const response = this.#response;
    if (this.#load.readsBodies) response.text += body;
    if (response.isChunked) {
      response.tail = (response.tail + body).slice(-LAST_CHUNK.length);
      return response.tail === LAST_CHUNK;
    }
    response.missing -= body.length;
    return response.missing <= 0;
  }
}

/** Raw requests, used in rotation; `{unique}` becomes 13 new characters each time, `{address}` another address. */
function rotationOf(texts) {
  // Placeholder names sit between the parts of a text.
  const all = texts.map((text) => text.split(/\{(unique|address)\}/));
  let made = 0;
  const replacements = {
    unique: () => `${process.pid % 10_000}`.padStart(4, '0') + `${made}`.padStart(9, '0'),
    /** One of three million, all of the same length. */
    address: () => {
      const byte = (index) => 100 + (Math.floor(made / 150 ** index) % 150);
      return `203.${byte(2)}.${byte(1)}.${byte(0)}`;
    },
  };
  return (number) => {
    const parts = all[number % all.length];
    if (parts.length > 1) made += 1;
    return parts.map((part, i) => (i % 2 === 0 ? part : replacements[part]())).join('');
  };
}

/** The value below which this share of the sorted numbers lies; 0 if there are none. */
const percentile = (sorted, share) => sorted[Math.floor(sorted.length * share)] ?? 0;

function count(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1;
}

process.once('disconnect', () => process.exit());
process.once('message', async (job) => process.send(await new Load(job).run()));

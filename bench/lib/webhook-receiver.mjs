import { once } from 'node:events';
import http from 'node:http';

/** Receives the messages of webhooks on the loopback. */
export class WebhookReceiver {
  #server = http.createServer((request, response) => {
    this.#ids.add(request.headers['webhook-id']);
    const respond = () => response.writeHead(204).end();
    request.resume().on('end', () => (this.#held ? this.#held.push(respond) : respond()));
    this.#wake?.();
  });
  #ids = new Set();
  #held;
  #wake;

  /** Listens; returns its address. */
  async listening() {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${this.#server.address().port}/`;
  }

  /** Leaves messages without a response until {@link release}, so that deliveries accumulate. */
  hold() {
    this.#held = [];
  }

  release() {
    const held = this.#held;
    this.#held = undefined;
    for (const respond of held) respond();
  }

  /** Waits until this many distinct messages have arrived since it listens. */
  async arrived(count) {
    while (this.#ids.size < count) await new Promise((resolve) => (this.#wake = resolve));
  }

  end() {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

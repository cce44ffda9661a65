import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy before the service that holds the first response of a path back. */
export class HoldingProxy {
  /** Resolves when the service has responded. */
  readonly held: Promise<void>;
  /** Sends the response on. */
  release!: () => void;
  private readonly server: http.Server;

  private constructor(service: string, path: string) {
    const released = new Promise<void>((resolve) => (this.release = resolve));
    let hold!: () => void;
    this.held = new Promise((resolve) => (hold = resolve));
    let isFirst = true;
    this.server = http.createServer((incoming, outgoing) => {
      const { method, url = '', headers } = incoming;
      const forwarded = http.request(service + url, { method, headers }, (response) => {
        const respond = () => {
          outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
          response.pipe(outgoing);
        };
        if (url !== path || !isFirst) return respond();
        isFirst = false;
        hold();
        void released.then(respond);
      });
      incoming.pipe(forwarded);
    });
  }

  static async start(service: string, path: string): Promise<HoldingProxy> {
    const proxy = new HoldingProxy(service, path);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

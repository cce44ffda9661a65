import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as it arrived. */
export interface Arrived {
  readonly id: string;
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly path: string;
}

/** A server on the loopback that receives webhook messages. */
export class MessageServer {
  private readonly server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const path = String(request.url);
      this.receive({ id: String(headers['webhook-id']), body, headers, path }, response);
    });
  });

  constructor(
    private readonly receive: (message: Arrived, response: http.ServerResponse) => void,
  ) {}

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}

/** A webhook receiver, which responds 204 unless a test says otherwise. */
export class Receiver extends MessageServer {
  readonly arrived: Arrived[] = [];
  respond: (response: http.ServerResponse, path: string) => void = (response) =>
    response.writeHead(204).end();

  constructor() {
    super((message, response) => {
      this.arrived.push(message);
      this.respond(response, message.path);
    });
  }

  /** Forgets past messages, and responds 204 again. */
  reset(): void {
    this.arrived.length = 0;
    this.respond = (response) => response.writeHead(204).end();
  }

  /** The types of the messages that arrived at a path, in order. */
  typesAt(path: string): string[] {
    const at = this.arrived.filter((one) => one.path === path);
    return at.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  }
}

/** Runs a receiver during the tests of the calling block. */
export function useReceiver(): Receiver {
  const receiver = new Receiver();
  beforeAll(() => receiver.start());
  beforeEach(() => receiver.reset());
  afterAll(() => receiver.stop());
  return receiver;
}

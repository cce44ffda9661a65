import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setInterval } from 'node:timers';

/** Pause between two bytes of a response, in milliseconds: all of them take longer than an attempt. */
const BYTE_EVERY = 500;
const CHUNK = Buffer.alloc(16 * 1024, 'x');

/** How a receiver responds to a request, by its path. */
const BEHAVIOURS = {
  hanging: () => undefined,
  byteByByte: sendByteByByte,
  endless: (response: http.ServerResponse) => {
    const body = Readable.from(without(CHUNK));
    body.pipe(response.writeHead(200)).on('close', () => body.destroy());
  },
  ready: (response: http.ServerResponse) => response.writeHead(204).end(),
} satisfies Record<string, (response: http.ServerResponse) => unknown>;

export type Behaviour = keyof typeof BEHAVIOURS;

/** Receivers of webhooks that keep their sender busy, and one that is ready at once. */
export class HostileReceivers {
  /** The requests of each kind, and the most of them at the same time. */
  readonly seen: Record<Behaviour, { count: number; open: number; most: number }> = {
    ...{ hanging: none(), byteByByte: none(), endless: none(), ready: none() },
  };
  /** When the event of each subject arrived at a path. */
  private readonly arrivals = new Map<string, Map<string, number>>();
  private readonly server = http.createServer((request, response) => {
    const behaviour = String(request.url).split('/')[1] as Behaviour;
    const seen = this.seen[behaviour];
    seen.count += 1;
    seen.open += 1;
    seen.most = Math.max(seen.most, seen.open);
    response.on('close', () => (seen.open -= 1)).on('error', () => undefined);
    void this.receive(request, () => BEHAVIOURS[behaviour](response));
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** The URL of a receiver. Those of one kind differ by their names. */
  urlOf(behaviour: Behaviour, name: string): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${behaviour}/${name}`;
  }

  /** Notes from now on when events arrive at a receiver, by their subjects. */
  arrivalsAt(behaviour: Behaviour, name: string): ReadonlyMap<string, number> {
    const arrivals = new Map<string, number>();
    this.arrivals.set(`/${behaviour}/${name}`, arrivals);
    return arrivals;
  }

  private async receive(request: http.IncomingMessage, respond: () => unknown): Promise<void> {
    const body = await text(request);
    const arrivals = this.arrivals.get(String(request.url));
    if (arrivals) {
      const { data } = JSON.parse(body) as { data: { subject: { id: string } } };
      arrivals.set(data.subject.id, performance.now());
    }
    respond();
  }
}

const none = () => ({ count: 0, open: 0, most: 0 });

function sendByteByByte({ socket }: http.ServerResponse): void {
  const bytes = [...'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n'];
  const timer = setInterval(() => socket?.write(bytes.shift() ?? 'x'), BYTE_EVERY);
  socket?.on('close', () => clearInterval(timer));
}

function* without(chunk: Buffer): Generator<Buffer> {
  for (;;) yield chunk;
}

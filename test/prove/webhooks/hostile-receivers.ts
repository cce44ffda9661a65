import type http from 'node:http';
import { Readable } from 'node:stream';
import { setInterval } from 'node:timers';
import { MessageServer } from '../../e2e/webhooks/receiver.js';

/** Pause between two bytes of a response, in milliseconds: all of them take longer than an attempt. */
const BYTE_EVERY = 500;
const CHUNK = Buffer.alloc(16 * 1024, 'x');

/** How a receiver responds to a request, by its path. */
const BEHAVIOURS = {
  hanging: () => undefined,
  byteByByte: ({ socket }: http.ServerResponse) => {
    const bytes = [...'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n'];
    const timer = setInterval(() => socket?.write(bytes.shift() ?? 'x'), BYTE_EVERY);
    socket?.on('close', () => clearInterval(timer));
  },
  endless: (response: http.ServerResponse) => {
    const body = Readable.from(without(CHUNK));
    body.pipe(response.writeHead(200)).on('close', () => body.destroy());
  },
  ready: (response: http.ServerResponse) => response.writeHead(204).end(),
} satisfies Record<string, (response: http.ServerResponse) => unknown>;

export type Behaviour = keyof typeof BEHAVIOURS;

/** Receivers of webhooks that keep their sender busy, and one that is ready at once. Those of one kind differ by their names. */
export class HostileReceivers extends MessageServer {
  /** The requests of each kind, and the most of them at the same time. */
  readonly seen: Record<Behaviour, { count: number; open: number; most: number }> = {
    ...{ hanging: none(), byteByByte: none(), endless: none(), ready: none() },
  };
  /** When the event of each subject arrived at `/ready/neighbour`. */
  readonly arrivals = new Map<string, number>();

  constructor() {
    super(({ path, body }, response) => {
      const behaviour = path.split('/')[1] as Behaviour;
      const seen = this.seen[behaviour];
      seen.count += 1;
      seen.open += 1;
      seen.most = Math.max(seen.most, seen.open);
      response.on('close', () => (seen.open -= 1)).on('error', () => undefined);
      if (path === '/ready/neighbour') {
        const { data } = JSON.parse(body) as { data: { subject: { id: string } } };
        this.arrivals.set(data.subject.id, performance.now());
      }
      BEHAVIOURS[behaviour](response);
    });
  }
}

const none = () => ({ count: 0, open: 0, most: 0 });

function* without(chunk: Buffer): Generator<Buffer> {
  for (;;) yield chunk;
}

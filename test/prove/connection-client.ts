import http from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
  /** Wait between the two parts of the body, in milliseconds. */
  readonly pause?: number;
}

export interface ConnectionResponse {
  readonly status: number;
  readonly connection: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** A caller with one connection that is kept alive, or with a new one for each request. */
export class ConnectionClient {
  private readonly agent: http.Agent;

  constructor(
    private readonly url: string,
    { keepAlive }: { keepAlive: boolean },
  ) {
    this.agent = new http.Agent({ keepAlive, maxSockets: 1 });
  }

  /** @throws Error of the connection, with its `code`, where there is no complete response */
  async send({ method, path, token, body, pause }: Call): Promise<ConnectionResponse> {
    const payload = body ? Buffer.from(JSON.stringify(body)) : undefined;
    const request = http.request(this.url + path, {
      agent: this.agent,
      method,
      headers: {
        ...(payload && { 'Content-Type': 'application/json', 'Content-Length': payload.length }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
    });
    const received = new Promise<http.IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).on('error', reject);
    });
    if (payload && pause !== undefined) {
      request.write(payload.subarray(0, 5));
      await Promise.race([setTimeout(pause), received]);
      request.end(payload.subarray(5));
    } else {
      request.end(payload);
    }
    const response = await received;
    return {
      status: response.statusCode ?? 0,
      connection: response.headers.connection,
      retryAfter: response.headers['retry-after'],
      body: await text(response),
    };
  }

  close(): void {
    this.agent.destroy();
  }
}

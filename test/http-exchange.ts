import http, { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

interface HttpRequest extends Pick<http.RequestOptions, 'method' | 'path' | 'agent'> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable | undefined;
}

const commonAgent = new http.Agent({ keepAlive: true });

/** Sends a request and reads the response, at half the cost of `fetch`: the suite sends tens of thousands. */
export async function exchange(url: string, { body, ...options }: HttpRequest = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = http.request(url, { agent: commonAgent, ...options });
    request.on('response', resolve).on('error', reject);
    if (body instanceof Readable) body.pipe(request);
    else request.end(body);
  });
  const { rawHeaders, statusCode: status = 0 } = response;
  const names = rawHeaders.filter((_text, i) => i % 2 === 0);
  return {
    status,
    headers: new Headers(names.map((name, i): [string, string] => [name, rawHeaders[2 * i + 1]!])),
    text: await text(response),
  };
}

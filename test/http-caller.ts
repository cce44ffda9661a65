import { ResponseChecker } from './document/response-checker.js';
import { EXPORT_TYPES, readDocument } from './document/openapi-document.js';
import { exchange } from './http-exchange.js';
import { SecretWatch } from './secret-watch.js';

/** A response of the service, as a consumer sees it. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body; undefined where there is none. */
  // Tests look into bodies of every shape; the document's tests hold their types.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface Call {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  /** The caller's address, as a trusted proxy tells it. */
  readonly from?: string;
}

let checker: ResponseChecker | undefined;

/** Calls the service over HTTP, holds every response to the committed document, and remembers the secrets. */
export class HttpCaller {
  protected readonly secrets = new SecretWatch();

  constructor(public url: string) {}

  get(path: string, call: Call = {}): Promise<HttpResponse> {
    return this.send('GET', path, undefined, call);
  }

  post(path: string, body: unknown, call: Call = {}): Promise<HttpResponse> {
    return this.send('POST', path, JSON.stringify(body), call);
  }

  patch(path: string, body: unknown, call: Call = {}): Promise<HttpResponse> {
    return this.send('PATCH', path, JSON.stringify(body), call);
  }

  delete(path: string, call: Call = {}): Promise<HttpResponse> {
    return this.send('DELETE', path, undefined, call);
  }

  /** Sends a body as it is, JSON or not. */
  async send(
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer> | undefined,
    { token, headers, from }: Call = {},
  ): Promise<HttpResponse> {
    const allHeaders = {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(from && { 'X-Forwarded-For': from }),
      // As a browser sends it from the console's own page.
      ...(path.startsWith('/console/session') && { Origin: this.url }),
      ...headers,
    };
    this.secrets.sent(body, allHeaders, path);
    const request = { method, headers: allHeaders, body };
    const { text, ...head } = await exchange(this.url + path, request);
    this.secrets.responded(head.status, text, head.headers.getSetCookie());
    const contentType = head.headers.get('content-type') ?? '';
    const isText = EXPORT_TYPES.some((type) => contentType.startsWith(type));
    const parsed = () => (text ? (JSON.parse(text) as unknown) : undefined);
    const response = { ...head, body: isText ? text : parsed() };
    checker ??= new ResponseChecker(readDocument());
    checker.check({ method, url: path, ...response });
    return response;
  }
}

import { decodeUtf8 } from './json.js';
import type { ContactFailure } from './status.js';

/** A function such as the global `fetch`: it returns a response, or throws if there is none. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** Declared here, because a program may be compiled without the types of the web or Node. */
export interface FetchInit {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly redirect: 'manual';
  /** An `AbortSignal`. */
  readonly signal: never;
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** An asynchronous iterable of bytes, or null. */
  readonly body: unknown;
}

const MAX_BODY_BYTES = 65_536;

export interface Exchange {
  readonly status: number;
  readonly retryAfter: number | undefined;
  /** Undefined if the body was not read because the status decides, or if it exceeds 64 KiB. */
  readonly body: string | undefined;
}

/** The service did not respond within the timeout. */
export class ExchangeTimeout extends Error {
  override readonly name = 'ExchangeTimeout';
}

/**
 * Posts JSON and follows no redirects.
 *
 * @param timeout milliseconds until the last byte of the response
 * @throws ExchangeTimeout, or the error of `fetch`
 */
export async function post(
  fetch: Fetch,
  url: string,
  content: object,
  timeout: number,
): Promise<Exchange> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // Uses a separate timer, because a body that falsely claims to be compressed may never end, despite the abort signal.
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new ExchangeTimeout(`No response within ${timeout} ms.`)),
      timeout,
    );
  });
  const exchange = async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(content),
      redirect: 'manual',
      signal: controller.signal as never,
    });
    return readResponse(response);
  };
  const exchanged = exchange();
  // Nothing waits for it after a timeout.
  exchanged.catch(() => undefined);
  try {
    return await Promise.race([exchanged, expired]);
  } finally {
    clearTimeout(timer);
    // Whether the rest of a body arrives does not matter.
    controller.abort();
  }
}

async function readResponse(response: FetchResponse): Promise<Exchange> {
  const { status, headers } = response;
  const [seconds] = /^\d{1,9}$/.exec(headers.get('Retry-After') ?? '') ?? [];
  const retryAfter = seconds === undefined ? undefined : Number(seconds);
  const body = isDecidedByBody(status) ? await readBody(response) : undefined;
  return { status, retryAfter, body };
}

/** Whether a response with this status may come from the service, so that its body counts. 407 comes from a proxy. */
export function isDecidedByBody(status: number): boolean {
  return status === 200 || (status >= 400 && status < 500 && status !== 407 && status !== 429);
}

/** Codes of OpenSSL and Node, and messages of Electron, for a rejected TLS certificate. */
const UNTRUSTED = /CERT|^UNABLE_TO_(GET|VERIFY)|^INVALID_(CA|PURPOSE)|^HOSTNAME_MISMATCH/;
/** How `fetch` reports the status 407: with an error that has no useful code. */
const PROXY_LOGIN = /^(proxy authentication required)?$/;

/** Why there is no response. */
export function reasonOf(error: unknown): ContactFailure {
  if (error instanceof ExchangeTimeout) return 'timeout';
  const { code, message } = Object(systemError(error)) as { code?: string; message?: string };
  if (code === undefined && PROXY_LOGIN.test(message ?? '-')) return 'not_the_service';
  return UNTRUSTED.test(code ?? message ?? '') ? 'untrusted_server' : 'no_response';
}

/** The error whose `code` says whether DNS, TLS or the connection failed; fetch wraps it. */
export function systemError(error: unknown): unknown {
  const { cause } = Object(error) as { cause?: unknown };
  return cause ?? error;
}

async function readBody(response: FetchResponse): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body as AsyncIterable<Uint8Array> | null) ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop cancels the rest.
    if (length > MAX_BODY_BYTES) return undefined;
  }
  return decodeUtf8(Buffer.concat(chunks));
}

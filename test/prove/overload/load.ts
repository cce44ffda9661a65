import { runJob } from '../processes.js';

/** The placeholder that a generator replaces with 13 new characters in each request; see load-generator.mjs. */
export const UNIQUE = '{unique}';
const UNIQUE_LENGTH = 13;
/** The placeholder for an address, different in each request. */
export const ADDRESS = '{address}';

export interface Content {
  readonly body?: object | undefined;
  readonly token?: string;
  readonly forwardedFor?: string;
}

export function onTheWire(
  method: string,
  path: string,
  { body, token, forwardedFor }: Content = {},
): string {
  const text = body ? JSON.stringify(body) : '';
  const length = text.replace(UNIQUE, '0'.repeat(UNIQUE_LENGTH)).length;
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: licenses.example',
    ...(body ? ['Content-Type: application/json', `Content-Length: ${length}`] : []),
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(forwardedFor ? [`X-Forwarded-For: ${forwardedFor}`] : []),
    '',
    text,
  ].join('\r\n');
}

export type Counts = Readonly<Record<string, number>>;

/** Callers that send the next request after each response, on a connection that is reopened when it closes. */
export interface Callers {
  /** The callers' addresses are in 127.network.0.0/16. */
  readonly network: number;
  readonly callers: number;
  /** Raw requests, sent in turn; see load-generator.mjs. */
  readonly requests: readonly string[];
  readonly callersPerAddress: number;
  /** Requests per second, sent on schedule once all connections are open, each by an idle caller. */
  readonly rate?: number;
  /** A caller sends one request per connection, and then holds it open. */
  readonly holds?: boolean;
  /** A caller sends each request on a new connection. */
  readonly reopens?: boolean;
  /** A status that some of the responses must have. */
  readonly expects?: number;
  /** A regular expression: any other body with status 200 is counted by its text. */
  readonly accepts?: string;
}

export type Job = Callers & { readonly url: string; readonly seconds: number };

export interface Load {
  readonly statuses: Counts;
  /** Responses that no caller may get, and scheduled requests whose connection was closed. */
  readonly failures: Counts;
  readonly opened: number;
  /** Connections that the service closed or did not accept, by reason. */
  readonly closed: Counts;
  /** Milliseconds from the due time of a request to its response, for requests that were not rejected. */
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
  readonly perSecond: number;
  readonly sent: number;
  /** Due requests that never found an idle connection. */
  readonly unsent: number;
  /** Requests without a response on connections that are still open. */
  readonly withoutResponse: number;
}

/** Sends requests from another process. */
export const sendLoad = (job: Job) => runJob<Load>('overload/load-generator.mjs', job);

/** Requests without a timely response, and others that were not served, by status or by problem. */
export function rejectionsOf({ statuses, failures, unsent, withoutResponse }: Load) {
  const { 200: _served, 201: _created, ...rejected } = statuses;
  const others: Counts = { ...rejected, ...failures };
  return { late: unsent + withoutResponse, others, count: totalOf(others) };
}

export const totalOf = (counts: Counts) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

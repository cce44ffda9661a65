import { runJob } from '../processes.js';

/** The placeholder that a generator replaces by 13 other characters in each request; see load-generator.mjs. */
export const UNIQUE = '{unique}';
const UNIQUE_LENGTH = 13;
/** The placeholder of an address, of which each request has another. */
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

/** Callers, each of whom sends its next request when it has a response, on a connection that is opened again when it is closed. */
export interface Callers {
  /** The callers' addresses are in 127.network.0.0/16. */
  readonly network: number;
  readonly callers: number;
  /** As they are on the wire, sent in turn; see load-generator.mjs. */
  readonly requests: readonly string[];
  readonly callersPerAddress: number;
  /** Requests a second, sent on schedule once all connections are open, each by a caller that has no other. */
  readonly rate?: number;
  /** A caller sends one request on each connection, and then holds it. */
  readonly holds?: boolean;
  /** A caller sends each request on a new connection. */
  readonly reopens?: boolean;
  /** A status that some of the responses must have. */
  readonly expects?: number;
  /** A regular expression: another body with status 200 is counted by its text. */
  readonly accepts?: string;
}

export type Job = Callers & { readonly url: string; readonly seconds: number };

export interface Load {
  readonly statuses: Counts;
  /** Responses that no caller may get, and requests on schedule whose connection was closed. */
  readonly failures: Counts;
  readonly opened: number;
  /** Connections that the service closed or did not accept, by reason. */
  readonly closed: Counts;
  /** Milliseconds from the due time of a request to its response, of those that were not rejected. */
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
  readonly perSecond: number;
  readonly sent: number;
  /** Requests that were due and found no idle connection until the end. */
  readonly unsent: number;
  /** Requests on connections that are still open, without a response. */
  readonly withoutResponse: number;
}

/** Sends requests from another process. */
export const sendLoad = (job: Job) => runJob<Load>('overload/load-generator.mjs', job);

/** The requests that had no response in time, and the others that were not served, by status or by what was wrong. */
export function rejectionsOf({ statuses, failures, unsent, withoutResponse }: Load) {
  const { 200: _served, 201: _created, ...rejected } = statuses;
  const others: Counts = { ...rejected, ...failures };
  return { late: unsent + withoutResponse, others, count: totalOf(others) };
}

export const totalOf = (counts: Counts) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

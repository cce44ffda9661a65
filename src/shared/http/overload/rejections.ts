import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERRORS, type ErrorCode } from '../../errors/error-codes.js';
import type { ErrorShape } from '../../errors/error-shape.decorator.js';
import { toErrorBody } from '../../errors/to-error-body.js';
import { PROTECT_BROWSERS } from '../answer-headers.js';

/** Names and values in turn, which Node sends at two thirds of the cost of an object. */
const HEADERS = Object.entries({
  ...PROTECT_BROWSERS,
  'Content-Type': 'application/json; charset=utf-8',
}).flat();
const CORS_HEADERS = Object.entries({
  'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
  Vary: 'Origin',
}).flat();
/** Seconds. */
const RETRY_AFTER = '1';

/** What a health check has found: undefined where all is well. */
export type HealthCheck = () => Promise<ErrorCode | undefined>;

/**
 * Sends responses right on the HTTP server: what Fastify and Nest do for each request costs twice as much as reading
 * and rejecting it.
 */
export class Rejections {
  /** How the errors of a route differ from the general form, by its path. */
  readonly errorShapes = new Map<string, ErrorShape>();
  /** Answered truthfully under overload, too: an instance that is restarted leaves its share to others. */
  readonly healthChecks = new Map<string, HealthCheck>();

  constructor(private readonly corsOrigins: readonly string[]) {}

  reject(request: IncomingMessage, response: ServerResponse, code: ErrorCode): void {
    const path = pathOf(request);
    const check = this.healthChecks.get(path);
    if (!check) this.sendError(request, response, code, this.errorShapes.get(path));
    else void check().then((failure) => this.sendHealth(request, response, failure));
  }

  private sendHealth(
    request: IncomingMessage,
    response: ServerResponse,
    failure: ErrorCode | undefined,
  ): void {
    if (failure) this.sendError(request, response, failure);
    else this.send(request, response, 200, randomUUID(), { status: 'ok' });
  }

  private sendError(
    request: IncomingMessage,
    response: ServerResponse,
    code: ErrorCode,
    { always, tooManyRequests }: ErrorShape = {},
  ): void {
    const requestId = randomUUID();
    const { status } = ERRORS[code];
    const body =
      status === 429 && tooManyRequests
        ? tooManyRequests
        : { ...always, ...toErrorBody(code, requestId) };
    this.send(request, response, status, requestId, body);
  }

  private send(
    { headers: { origin } }: IncomingMessage,
    response: ServerResponse,
    status: number,
    requestId: string,
    body: object,
  ): void {
    const text = JSON.stringify(body);
    const headers = [...HEADERS, 'Content-Length', String(text.length), 'X-Request-Id', requestId];
    if (status >= 400) headers.push('Retry-After', RETRY_AFTER);
    if (origin !== undefined && this.corsOrigins.includes(origin)) {
      headers.push(...CORS_HEADERS, 'Access-Control-Allow-Origin', origin);
    }
    response.writeHead(status, headers);
    response.end(text);
  }
}

/** The path of a request, without its query. */
export const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0]!;

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteOptions } from 'fastify';
import { ERRORS } from '../../errors/error-codes.js';
import type { ErrorShape } from '../../errors/error-shape.decorator.js';
import { toErrorBody } from '../../errors/to-error-body.js';
import { PROTECT_BROWSERS } from '../answer-headers.js';
import type { SheddingConfig } from './never-shed.decorator.js';

const { status } = ERRORS.OVERLOADED;
/** Names and values in turn, which Node sends at two thirds of what an object of them costs. */
const HEADERS = Object.entries({
  ...PROTECT_BROWSERS,
  'Content-Type': 'application/json; charset=utf-8',
  'Retry-After': '1',
}).flat();
const CORS_HEADERS = Object.entries({
  'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
  Vary: 'Origin',
}).flat();

/**
 * Refuses requests with 503, right on the HTTP server: what Fastify and Nest do for each request costs more
 * than reading it and answering it together.
 */
export class OverloadAnswers {
  private readonly neverShed = new Set<string>();
  private readonly markers = new Map<string, ErrorShape['always']>();

  constructor(private readonly corsOrigins: readonly string[]) {}

  /** Notes how a route is refused. */
  learn({ url, config }: Pick<RouteOptions, 'url' | 'config'>): void {
    const { errorShape, neverShed } = (config ?? {}) as SheddingConfig & {
      errorShape?: ErrorShape;
    };
    if (neverShed) this.neverShed.add(url);
    if (errorShape?.always) this.markers.set(url, errorShape.always);
  }

  /** Without the answer to its preflight, a browser shows its application no other answer either. */
  mayRefuse(request: IncomingMessage): boolean {
    return request.method !== 'OPTIONS' && !this.neverShed.has(pathOf(request));
  }

  refuse(request: IncomingMessage, response: ServerResponse): void {
    const requestId = randomUUID();
    const marker = this.markers.get(pathOf(request));
    const body = JSON.stringify({ ...marker, ...toErrorBody('OVERLOADED', requestId) });
    const length = String(body.length);
    const headers = [...HEADERS, 'Content-Length', length, 'X-Request-Id', requestId];
    const { origin } = request.headers;
    if (origin !== undefined && this.corsOrigins.includes(origin)) {
      headers.push(...CORS_HEADERS, 'Access-Control-Allow-Origin', origin);
    }
    response.writeHead(status, headers);
    response.end(body);
  }
}

const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0]!;

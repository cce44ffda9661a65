import {
  exampleIn,
  EXPORT_TYPES,
  findRoute,
  type OpenApiDocument,
  type Response,
  type Route,
  routesOf,
} from './openapi-document.js';
import { SchemaValidator } from './schema-validator.js';

/** A request and its response. */
export interface Exchange {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body; undefined if there is none. */
  readonly body: unknown;
}

/** The documentation does not document itself. */
const UNDOCUMENTED = ['/docs', '/docs-json'];

/** Statuses allowed if the document has no route, or no request can reach it. */
const UNROUTED = { 400: 'BAD_REQUEST', 404: 'ROUTE_NOT_FOUND' } as Readonly<Record<number, string>>;

const ERROR_BODY = { $ref: '#/components/schemas/ErrorBody' };

/** Compares responses of the service with its document: statuses, bodies, codes and headers. */
export class ResponseChecker {
  private readonly routes: readonly Route[];
  private readonly schemas: SchemaValidator;
  private readonly headerNames: readonly string[];

  constructor(private readonly document: OpenApiDocument) {
    this.routes = routesOf(document);
    this.schemas = new SchemaValidator(document);
    const responses = this.routes.flatMap(({ operation }) => Object.values(operation.responses));
    this.headerNames = [...new Set(responses.flatMap(({ headers }) => Object.keys(headers ?? {})))];
  }

  /** @throws Error with the operation, the status and the mismatch */
  check(exchange: Exchange): void {
    const { method, url, status } = exchange;
    if (UNDOCUMENTED.includes(url)) return;
    const route = findRoute(this.routes, method, url);
    const mismatches = route ? this.mismatchesOf(exchange, route) : this.unroutedOf(exchange);
    if (mismatches.length === 0) return;
    const name = route?.operation.operationId ?? 'no operation';
    throw new Error(
      `The response ${status} to ${method} ${url} (${name}) does not match openapi.json: ` +
        `${mismatches.join('; ')}. It is ${JSON.stringify(exchange.body)}`,
    );
  }

  private mismatchesOf(exchange: Exchange, { operation }: Route): string[] {
    const response = operation.responses[exchange.status];
    if (!response) return ['the status is not listed'];
    return [
      ...this.bodyMismatches(exchange, response),
      ...this.headerMismatches(exchange, response),
    ];
  }

  private bodyMismatches(
    { method, status, headers, body }: Exchange,
    response: Response,
  ): string[] {
    const json = response.content?.['application/json'];
    if (EXPORT_TYPES.some((type) => response.content?.[type])) {
      return typeof body === 'string' ? [] : ['the body is not text'];
    }
    if (method === 'HEAD' || (!json && body === undefined)) return [];
    if (!json) return ['no body is listed'];
    if (!/^application\/json\b/.test(headers.get('content-type') ?? '')) {
      return [`the content type is ${headers.get('content-type')}`];
    }
    const mismatches = this.schemas.mismatchesOf(body, json.schema);
    const { code, message } = (body ?? {}) as { code?: string; message?: string };
    if (status < 400 || code === undefined) return mismatches;
    const example = json.examples?.[code];
    if (!example) return [...mismatches, `the code ${code} is not listed`];
    const documented = exampleIn(this.document, example) as { message?: string };
    if (message !== documented.message) mismatches.push(`the message of ${code} is ${message}`);
    // Only some responses with a code have these.
    const shown = ['details', 'rejection', ...Object.keys(documented)];
    const others = Object.keys(body as object).filter((name) => !shown.includes(name));
    if (others.length > 0) mismatches.push(`the example of ${code} has no ${others.join()}`);
    return mismatches;
  }

  private headerMismatches({ headers }: Exchange, response: Response): string[] {
    return this.headerNames.flatMap((name) => {
      const value = headers.get(name);
      const listed = response.headers?.[name];
      if (!listed) return value === null ? [] : [`the header ${name} is not listed`];
      const header = this.document.components.headers[listed.$ref.split('/').at(-1)!]!;
      if (value === null) return header.required ? [`the header ${name} is missing`] : [];
      const typed = header.schema.type === 'integer' ? Number(value) : value;
      return this.schemas.mismatchesOf(typed, header.schema).map((text) => `${name}: ${text}`);
    });
  }

  private unroutedOf({ method, status, headers, body }: Exchange): string[] {
    const code = UNROUTED[status];
    if (!code) return ['the document has no such route'];
    if (!headers.has('x-request-id')) return ['the header X-Request-Id is missing'];
    if (method === 'HEAD') return [];
    const found = (body as { code?: unknown } | undefined)?.code;
    if (found !== code) return [`the code is ${String(found)}`];
    return this.schemas.mismatchesOf(body, ERROR_BODY);
  }
}

import fs from 'node:fs';

/** The parts of a schema that the tests read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

export interface Example {
  readonly $ref?: string;
  readonly value?: unknown;
}

export interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Header {
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-required-role'?: string;
  readonly 'x-required-scope'?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

/** The parts of the document that the tests read. */
export interface OpenApiDocument {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly examples: Readonly<Record<string, Example>>;
  };
}

let document: OpenApiDocument | undefined;

/** The committed document, with the responses that its operations refer to. */
export const readDocument = (): OpenApiDocument => (document ??= parseDocument());

function parseDocument(): OpenApiDocument {
  const text = fs.readFileSync('openapi.json', 'utf8');
  const { components } = JSON.parse(text) as OpenApiDocument;
  return JSON.parse(text, (_key, value: Schema | null) => {
    const [, name] = /^#\/components\/responses\/(.+)/.exec(value?.$ref ?? '') ?? [];
    return name ? components.responses[name] : value;
  }) as OpenApiDocument;
}

/** The value of an example, which may be a reference to a named one. */
export const exampleIn = ({ components }: OpenApiDocument, { $ref, value }: Example): unknown =>
  $ref ? components.examples[$ref.split('/').at(-1)!]!.value : value;

/** The codes of the errors of an operation. */
export const codesOf = ({ responses }: Operation): string[] =>
  Object.entries(responses).flatMap(([status, { content }]) =>
    Number(status) >= 400 ? Object.keys(content?.['application/json']?.examples ?? {}) : [],
  );

export interface Route {
  /** In capitals. */
  readonly method: string;
  /** The path, with its parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
}

/** Every operation of the document. */
export function routesOf({ paths }: OpenApiDocument): Route[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** The content types of responses that are streamed as text. */
export const EXPORT_TYPES = ['text/csv', 'application/x-ndjson'];

/**
 * The route that a request reaches; undefined if there is none.
 *
 * @param url path and query, as they are sent
 */
export function findRoute(
  routes: readonly Route[],
  method: string,
  url: string,
): Route | undefined {
  const segments = segmentsOf(url);
  // Fastify serves HEAD for every GET.
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = routes.filter((route) => route.method === wanted && fits(route.path, segments));
  // If two match, the one with fewer parameters wins.
  return found.sort((a, b) => parametersOf(a.path) - parametersOf(b.path))[0];
}

/** Undefined if the path is not a URL, which reaches no route. */
function segmentsOf(url: string): string[] | undefined {
  try {
    return decodeURI(url.replace(/\?.*$/, '')).split('/');
  } catch {
    return undefined;
  }
}

function fits(path: string, segments: readonly string[] = []): boolean {
  const parts = path.split('/');
  return (
    parts.length === segments.length &&
    parts.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i]))
  );
}

const parametersOf = (path: string) => path.split('{').length - 1;

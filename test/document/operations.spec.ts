import fs from 'node:fs';
import { ERRORS, type ErrorCode } from '../../src/shared/errors/error-codes.js';
import {
  type Example,
  type MediaType,
  readDocument,
  type Response,
  type Route,
  routesOf,
  type Operation,
} from './openapi-document.js';
import { SchemaValidator } from './schema-validator.js';

const document = readDocument();
const validator = new SchemaValidator(document);
const routes = routesOf(document);

/** Whose errors carry a marker that the specification gives (decision 0009). */
const OWN_ERRORS: Readonly<Record<string, string>> = {
  activateLicense: 'ActivationError',
  validateLicense: 'LicenseValidationErrorBody',
};

const entriesOf = ({ responses }: Operation): [number, Response][] =>
  Object.entries(responses).map(([status, response]) => [Number(status), response]);
const valueOf = ({ $ref, value }: Example) =>
  $ref ? document.components.examples[$ref.split('/').at(-1)!]!.value : value;
const jsonOf = ({ content }: Response): MediaType | undefined => content?.['application/json'];
const errorsOf = (operation: Operation) => entriesOf(operation).filter(([status]) => status >= 400);
const successesOf = (operation: Operation) =>
  entriesOf(operation).filter(([status]) => status < 400);
const has = (operation: Operation, ...statuses: number[]) =>
  statuses.every((status) => status in operation.responses);

/** Each rule, by what it guarantees: whether an operation keeps it. */
const RULES: [string, (operation: Operation, route: Route) => boolean][] = [
  [
    'has an id that reads as the name of a method',
    ({ operationId }) => /^[a-z]+([A-Z][a-z]+)*$/.test(operationId!),
  ],
  ['has a summary of one line', ({ summary }) => /^[A-Z].*[^.]$/.test(summary!)],
  ['has a description', ({ description }) => /^[A-Z].*\.$/s.test(description!)],
  [
    'has one tag, which is declared',
    ({ tags = [] }) => tags.length === 1 && document.tags.some(({ name }) => name === tags[0]),
  ],
  [
    'describes its parameters',
    ({ parameters = [] }) => parameters.every(({ description }) => description),
  ],
  [
    'has every parameter of its path',
    ({ parameters = [] }, { path }) =>
      [...path.matchAll(/\{(\w+)\}/g)].every(([, name]) =>
        parameters.some((parameter) => parameter.in === 'path' && parameter.name === name),
      ),
  ],
  ['describes its responses', (operation) => entriesOf(operation).every(([, r]) => r.description)],
  ['has one success', (operation) => successesOf(operation).length === 1],
  [
    'has a schema of its success, unless that is 204, which has none',
    (operation) =>
      successesOf(operation).every(([status, response]) =>
        status === 204 ? !response.content : !!jsonOf(response)?.schema.$ref,
      ),
  ],
  [
    'has the one schema of errors, or the one of its own',
    (operation) =>
      errorsOf(operation).every(
        ([, response]) =>
          jsonOf(response)?.schema.$ref ===
          `#/components/schemas/${OWN_ERRORS[operation.operationId!] ?? 'ErrorBody'}`,
      ),
  ],
  [
    'is public, or takes the token and lists its 401',
    (operation) =>
      operation.security?.length === 0 ||
      (JSON.stringify(operation.security) === '[{"bearer":[]}]' && has(operation, 401)),
  ],
  [
    'lists what a wrong body is responded with, where it takes one',
    (operation) => !operation.requestBody || has(operation, 400, 413, 415),
  ],
  [
    'documents the request id on each response',
    (operation) => entriesOf(operation).every(([, { headers }]) => headers?.['X-Request-Id']),
  ],
  [
    'says when to come back after too many requests, and describes the limit where it has one',
    ({ responses }) => {
      const { headers, content } = responses[429] ?? {};
      const { examples = {} } = content?.['application/json'] ?? {};
      const isLimited = 'TOO_MANY_REQUESTS' in examples;
      return !!headers?.['Retry-After'] && isLimited === 'X-RateLimit-Limit' in headers;
    },
  ],
  [
    'names the credentials that a 401 asks for',
    ({ responses }) => !responses[401] || !!responses[401].headers?.['WWW-Authenticate'],
  ],
];

describe('Every operation of the document', () => {
  it.each(RULES)('%s', (_guarantee, keeps) => {
    const breaking = routes.filter((route) => !keeps(route.operation, route));
    expect(breaking.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('has an id of its own', () => {
    const ids = routes.map(({ operation }) => operation.operationId);
    expect(ids).toEqual([...new Set(ids)]);
  });

  describe.each(routes.map((route) => [route.operation.operationId, route.operation] as const))(
    '%s',
    (_id, operation) => {
      it('has examples that its schemas take', () => {
        const responses = entriesOf(operation).map(([, response]) => jsonOf(response));
        const mismatches = [
          operation.requestBody?.content['application/json'],
          ...responses,
        ].flatMap((json) =>
          Object.values(json?.examples ?? {}).flatMap((example) =>
            validator.mismatchesOf(valueOf(example), json!.schema),
          ),
        );
        expect(mismatches).toEqual([]);
      });

      it('has an example of each of its errors, with the status that this error has', () => {
        for (const [status, response] of errorsOf(operation)) {
          const codes = Object.keys(jsonOf(response)?.examples ?? {}) as ErrorCode[];
          expect(codes.map((code) => ERRORS[code].status)).toEqual(codes.map(() => status));
          expect(codes).not.toEqual([]);
        }
      });
    },
  );
});

describe('The document', () => {
  it('has the version of the package', () => {
    const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { version: string };
    expect(document.info.version).toBe(version);
  });

  it('describes every tag, and has an operation for it', () => {
    for (const { name, description } of document.tags) {
      expect(description).toBeTruthy();
      expect(routes.filter(({ operation }) => operation.tags?.includes(name))).not.toEqual([]);
    }
  });
});

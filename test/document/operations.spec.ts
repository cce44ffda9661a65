import { ERRORS, type ErrorCode } from '../../src/shared/errors/error-codes.js';
import {
  EXPORT_TYPES,
  type MediaType,
  readDocument,
  type Response,
  routesOf,
  type Operation,
} from './openapi-document.js';

const document = readDocument();
const routes = routesOf(document);

/** Operations whose errors have a marker from the specification (decision 0016). */
const OWN_ERRORS: Readonly<Record<string, string>> = {
  activateLicense: 'ActivationError',
  sendHeartbeat: 'ActivationErrorBody',
  releaseMachine: 'ActivationErrorBody',
  validateLicense: 'LicenseValidationErrorBody',
};

const entriesOf = ({ responses }: Operation): [number, Response][] =>
  Object.entries(responses).map(([status, response]) => [Number(status), response]);
const jsonOf = ({ content }: Response): MediaType | undefined => content?.['application/json'];
const errorsOf = (operation: Operation) => entriesOf(operation).filter(([status]) => status >= 400);
const successesOf = (operation: Operation) =>
  entriesOf(operation).filter(([status]) => status < 400);
const has = (operation: Operation, ...statuses: number[]) =>
  statuses.every((status) => status in operation.responses);

/** Rules that `npm run lint` does not check, by their guarantee: whether an operation follows it. */
const RULES: Readonly<Record<string, (operation: Operation, method: string) => boolean>> = {
  'has one success, or another one for what exists already': (operation) =>
    [1, 2].includes(successesOf(operation).length),
  'has a schema of its success, unless that is 204, which has none': (operation) =>
    successesOf(operation).every(([status, response]) =>
      status === 204
        ? !response.content
        : !!jsonOf(response)?.schema.$ref || EXPORT_TYPES.some((type) => type in response.content!),
    ),
  'has the common error schema, or its own': (operation) => {
    const name = OWN_ERRORS[operation.operationId!] ?? 'ErrorBody';
    const $ref = `#/components/schemas/${name}`;
    return errorsOf(operation).every(([, response]) => jsonOf(response)?.schema.$ref === $ref);
  },
  'is public, or takes the token and lists its 401': (operation) =>
    operation.security?.length === 0 ||
    (JSON.stringify(operation.security) === '[{"bearer":[]}]' && has(operation, 401)),
  'lists the responses to an invalid body, if it reads one': (operation, method) =>
    method === 'GET' || has(operation, 400, 413, 415),
  'documents the request id on each response': (operation) =>
    entriesOf(operation).every(([, { headers }]) => headers?.['X-Request-Id']),
  'says when to retry after too many requests, and describes its limit if it has one': ({
    responses,
  }) => {
    const { headers, content } = responses[429] ?? {};
    const { examples = {} } = content?.['application/json'] ?? {};
    const isLimited = 'TOO_MANY_REQUESTS' in examples;
    return !!headers?.['Retry-After'] && isLimited === 'X-RateLimit-Limit' in headers;
  },
  'has an example of each of its errors, with its status': (operation) =>
    errorsOf(operation).every(([status, response]) => {
      const codes = Object.keys(jsonOf(response)?.examples ?? {}) as ErrorCode[];
      return codes.length > 0 && codes.every((code) => ERRORS[code].status === status);
    }),
  'names the credentials that a 401 asks for': ({ responses }) =>
    !responses[401] || !!responses[401].headers?.['WWW-Authenticate'],
};

describe('Every operation of the document', () => {
  it.each(Object.entries(RULES))('%s', (_guarantee, keeps) => {
    const breaking = routes.filter((route) => !keeps(route.operation, route.method));
    expect(breaking.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

it('Every named schema has a name that no client generator reserves', () => {
  const taken = routes.map(({ operation }) => `${operation.operationId}response`.toLowerCase());
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => ['client', ...taken].includes(name.toLowerCase()))).toEqual([]);
});

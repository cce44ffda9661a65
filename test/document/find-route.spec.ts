import { findRoute } from './find-route.js';
import type { Route } from './openapi-document.js';

const routes = ['GET /clients', 'GET /clients/{id}', 'GET /clients/all', 'POST /{a}/{b}'].map(
  (text): Route => {
    const [method = '', path = ''] = text.split(' ');
    return { method, path, operation: { operationId: text, responses: {} } };
  },
);

describe('findRoute', () => {
  it.each([
    ['GET', '/clients', 'GET /clients'],
    ['GET', '/clients?limit=1&cursor=a/b', 'GET /clients'],
    ['HEAD', '/clients', 'GET /clients'],
    ['GET', '/clients/1', 'GET /clients/{id}'],
    ['GET', '/clients/a%20b', 'GET /clients/{id}'],
    ['GET', '/clients/all', 'GET /clients/all'],
    ['POST', '/clients/all', 'POST /{a}/{b}'],
  ])('finds for %s %s the route %s', (method, url, expected) => {
    expect(findRoute(routes, method, url)?.operation.operationId).toBe(expected);
  });

  it.each([
    ['DELETE', '/clients'],
    ['GET', '/clients/'],
    ['GET', '/clients/1/2'],
    ['GET', '/nowhere'],
    ['GET', '/clients/%zz'],
  ])('finds none for %s %s', (method, url) => {
    expect(findRoute(routes, method, url)).toBeUndefined();
  });
});

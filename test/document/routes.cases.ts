import { useApp } from '../e2e/use-app.js';
import { readDocument, routesOf } from './openapi-document.js';

/** A line of the tree that Fastify prints: four characters for each level, a part of a path, and its methods. */
const LINE = /^((?:.{4})*)[├└]── (\S+)(?: \((.+)\))?$/gm;

describe('The document', () => {
  const app = useApp();

  it('has every route of the running application, and no other', () => {
    const tree = app.nest.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
    const parts: string[] = [];
    const routes = [...tree.matchAll(LINE)].flatMap(([, indent = '', part = '', methods]) => {
      parts.splice(indent.length / 4, Infinity, part);
      const path = parts.join('').replace(/:(\w+)/g, '{$1}');
      return (methods?.split(', ') ?? []).map((method) => `${method} ${path}`);
    });
    const found = routes.filter((route) => !/^HEAD | \/docs\b/.test(route));
    const documented = routesOf(readDocument()).map(({ method, path }) => `${method} ${path}`);
    expect(found.sort()).toEqual(documented.sort());
  });
});

import type { Route } from './openapi-document.js';

/**
 * The route that a request reaches; undefined where there is none.
 *
 * @param url path and query, as they are sent
 */
export function findRoute(
  routes: readonly Route[],
  method: string,
  url: string,
): Route | undefined {
  const segments = segmentsOf(url);
  // Fastify serves HEAD wherever it serves GET.
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = routes.filter((route) => route.method === wanted && fits(route.path, segments));
  // Of two that fit, the one with fewer parameters is meant.
  return found.sort((a, b) => parametersOf(a.path) - parametersOf(b.path))[0];
}

/** Undefined where the path is no URL, which no route sees. */
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

import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { DomainError } from '../shared/errors/domain-error.js';

/**
 * Headers of the pages and assets: only the app's own files can run, and no page can embed it. Images can
 * also be data URLs.
 */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-cache',
};

export interface BrowserApp {
  /** What it is called in the log. */
  readonly name: string;
  /** The folder of the built app. */
  readonly folder: string;
  /** The path of its assets, whose names contain a content hash. */
  readonly assets: string;
  /** The paths of its single page, whose script reads the URL. */
  readonly pages: readonly string[];
  readonly config?: FastifyContextConfig;
  /** Fills in the page. */
  readonly complete?: (page: string) => string;
}

/** Serves an app, its assets and its page, and returns whether it is built. */
export function serveBrowserApp(
  fastify: FastifyInstance,
  { name, folder, assets, pages, config = {}, complete = (page) => page }: BrowserApp,
): boolean {
  const file = path.join(folder, 'index.html');
  if (!fs.existsSync(file)) {
    fastify.log.warn(`The ${name} is not built, so its pages return 404. Run npm run build.`);
    return false;
  }
  const page = complete(fs.readFileSync(file, 'utf8'));
  void fastify.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...config };
    });
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers(HEADERS);
      done();
    });
    // Each file has its own route instead of a wildcard, so no other file can be requested.
    await scope.register(fastifyStatic, {
      root: path.join(folder, 'assets'),
      prefix: assets,
      wildcard: false,
      index: false,
      decorateReply: false,
      maxAge: '365d',
      immutable: true,
    });
    scope.get(`${assets}*`, () => {
      throw new DomainError('ROUTE_NOT_FOUND');
    });
    for (const address of pages) {
      scope.get(address, (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
    }
  });
  return true;
}

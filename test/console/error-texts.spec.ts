import fs from 'node:fs';
import path from 'node:path';
import { errorTexts } from '../../console/src/error-texts.js';
import { ERRORS } from '../../src/shared/errors/error-codes.js';

const ROOT = path.join(__dirname, '../..');
const CONSOLE = path.join(ROOT, 'console/src');

interface Response {
  readonly $ref?: string;
  readonly content?: { 'application/json'?: { examples?: Record<string, unknown> } };
}

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  readonly components: { readonly responses: Record<string, Response> };
}

const document = JSON.parse(fs.readFileSync(path.join(ROOT, 'openapi.json'), 'utf8')) as Document;

/** What the console itself rules out, or a form asks for before it is submitted. */
const RULED_OUT = [
  ...['MALFORMED_JSON', 'BODY_TOO_DEEP', 'UNSUPPORTED_MEDIA_TYPE', 'IDEMPOTENCY_KEY_REUSED'],
  ...['SESSION_REQUIRED', 'INSUFFICIENT_SCOPE', 'INVALID_REFRESH_TOKEN'],
  ...['CLIENT_NAME_REQUIRED', 'CLIENT_EMAIL_REQUIRED', 'CLIENT_ID_AND_PROJECT_NAME_REQUIRED'],
  ...['PROJECT_NAME_REQUIRED', 'PLAN_NAME_REQUIRED'],
];

/** The operations that the console calls, as methods and paths. */
function operations(): [method: string, path: string][] {
  const sources = fs
    .readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => fs.readFileSync(path.join(CONSOLE, name), 'utf8'));
  const calls = sources.join('\n').matchAll(/[aA]pi\.(GET|POST|PATCH|DELETE)\(\s*'([^']+)'/g);
  return [...calls].map(([, method = '', route = '']) => [method.toLowerCase(), route]);
}

function codesOf(response: Response): string[] {
  const name = response.$ref?.split('/').at(-1);
  const { content } = name === undefined ? response : document.components.responses[name]!;
  return Object.keys(content?.['application/json']?.examples ?? {});
}

describe('The texts of errors', () => {
  it('cover each code of the operations that the console calls', () => {
    const called = operations();
    expect(called.length).toBeGreaterThan(50);
    const codes = called.flatMap(([method, route]) =>
      Object.entries(document.paths[route]![method]!.responses)
        .filter(([status]) => status >= '400')
        .flatMap(([, response]) => codesOf(response)),
    );
    const known = new Set([...RULED_OUT, ...Object.keys(errorTexts)]);
    expect(codes.filter((code) => !known.has(code))).toEqual([]);
  });

  it('are sentences, for codes that the service has', () => {
    for (const [code, text] of Object.entries(errorTexts)) {
      expect(Object.keys(ERRORS)).toContain(code);
      expect(text).toMatch(/^[A-Z].*\.$/);
    }
  });
});

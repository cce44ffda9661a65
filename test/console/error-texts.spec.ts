import fs from 'node:fs';
import path from 'node:path';
import { errorTexts } from '../../console/src/error-texts.js';
import { ERRORS } from '../../src/shared/errors/error-codes.js';
import { readDocument } from '../document/openapi-document.js';

const CONSOLE = 'console/src';

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

describe('The texts of errors', () => {
  it('cover each code of the operations that the console calls', () => {
    const { paths } = readDocument();
    const called = operations();
    expect(called.length).toBeGreaterThan(50);
    const codes = called.flatMap(([method, route]) =>
      Object.entries(paths[route]![method]!.responses)
        .filter(([status]) => status >= '400')
        .flatMap(([, { content }]) => Object.keys(content?.['application/json']?.examples ?? {})),
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

import { ERRORS, type ErrorCode } from '../shared/errors/error-codes.js';
import { type ErrorContext, errorExample, isSameEverywhere } from './error-example.js';
import type { Examples, PathItem } from './openapi-types.js';

const PREFIX = '#/components/examples/';

/** The example of an error: a reference, if it is the same wherever the error can come. */
export function exampleEntry(code: ErrorCode, context: ErrorContext): Examples[string] {
  return isSameEverywhere(code, context)
    ? { $ref: `${PREFIX}${code}` }
    : { summary: ERRORS[code].message, value: errorExample(code, context) };
}

/** The examples that paths refer to, by their names. */
export function referredExamples(paths: Readonly<Record<string, PathItem>>): Examples {
  const references = JSON.stringify(paths).matchAll(new RegExp(`"${PREFIX}(\\w+)"`, 'g'));
  const codes = new Set([...references].map(([, code]) => code as ErrorCode));
  return Object.fromEntries(
    [...codes].map((code) => [
      code,
      { summary: ERRORS[code].message, value: errorExample(code, { shape: {}, fields: [] }) },
    ]),
  );
}

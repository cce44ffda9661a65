import path from 'node:path';
import { IS_FULL } from '../scope.js';
import { findPython } from './find-python.js';

/** A program that asks for its license, and how it is run. */
export interface Program {
  readonly command: string;
  readonly file: string;
}

const EXAMPLES = path.resolve('examples/shipped-software');

export const NODE: Program = {
  command: process.execPath,
  file: path.join(EXAMPLES, 'node/product.mjs'),
};

const python = findPython(process.env);

export const PYTHON: Program = {
  command: python ?? 'python3',
  file: path.join(EXAMPLES, 'python/license_check.py'),
};

/** Like describe.each of both programs; the tests of one that cannot run here count as skipped. */
export function describeBoth(name: string, tests: (program: Program) => void): void {
  describe(`${name} (Node)`, () => tests(NODE));
  describeWithPython(`${name} (Python)`, () => tests(PYTHON));
}

/** The same in the full scope, else for the program in Node alone. */
export function describePrograms(name: string, tests: (program: Program) => void): void {
  if (IS_FULL) describeBoth(name, tests);
  else describe(`${name} (Node)`, () => tests(NODE));
}

export const hasPython = python !== undefined;

export const describeWithPython = hasPython ? describe : describe.skip;

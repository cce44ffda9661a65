import fs from 'node:fs';
import path from 'node:path';

/**
 * Declares the tests of every `*.cases.ts` of a folder in the spec that calls it: jest loads the whole application anew
 * for each spec, which takes a second.
 */
export function declareCasesOf(folder: string): void {
  for (const file of fs.readdirSync(folder)) {
    if (file.endsWith('.cases.ts')) jest.requireActual(path.join(folder, file));
  }
}

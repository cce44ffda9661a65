import fs from 'node:fs';
import path from 'node:path';

/** Declares the tests of every `*.cases.ts` in some folders in one spec, because jest reloads all modules for each spec. */
export function declareCasesOf(...folders: readonly string[]): void {
  for (const folder of folders) {
    for (const file of fs.readdirSync(folder)) {
      if (file.endsWith('.cases.ts')) jest.requireActual(path.join(folder, file));
    }
  }
}

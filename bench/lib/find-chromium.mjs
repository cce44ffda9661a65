import fs from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * The path of Chromium: the one that CHROMIUM names, or one of the PATH; undefined if there is none.
 *
 * @param preferred the name of a program to be looked for first
 */
export function findChromium({ CHROMIUM, PATH = '' }, preferred) {
  if (CHROMIUM) return CHROMIUM;
  const names = preferred ? [preferred, ...NAMES] : NAMES;
  const candidates = names.flatMap((name) =>
    PATH.split(path.delimiter).map((folder) => path.join(folder, name)),
  );
  return candidates.find((file) => fs.existsSync(file));
}

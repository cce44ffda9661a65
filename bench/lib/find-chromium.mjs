import fs from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The path of Chromium: the one that CHROMIUM names, or one of the PATH; undefined if there is none. */
export function findChromium({ CHROMIUM, PATH = '' }) {
  if (CHROMIUM) return CHROMIUM;
  const candidates = PATH.split(path.delimiter).flatMap((folder) =>
    NAMES.map((name) => path.join(folder, name)),
  );
  return candidates.find((file) => fs.existsSync(file));
}

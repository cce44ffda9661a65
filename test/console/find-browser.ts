import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** In order of preference: the first has no windows, and is the same engine at half the cost. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The path of Chromium: from CHROMIUM, or on the PATH; undefined if there is none. */
export function findBrowser({ CHROMIUM, PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  if (CHROMIUM) return CHROMIUM;
  const folders = PATH.split(delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find((file) => existsSync(file));
}

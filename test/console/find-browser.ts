import { findChromium } from '../../bench/lib/find-chromium.mjs';

/** The path of the tests' browser: Chromium, if possible without windows, which is the same engine at half of the work; undefined if there is none. */
export const findBrowser = (env: NodeJS.ProcessEnv): string | undefined =>
  findChromium(env, 'chromium-headless-shell');

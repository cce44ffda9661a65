import fs from 'node:fs';
import path from 'node:path';
import { reportMissingTool } from '../set-up/missing-tool.js';

const MISSING =
  'No nginx was found on the PATH of a Linux system, so the tests of limits behind a proxy cannot run.';

const candidates = (process.env.PATH ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'nginx'));

/** The path of nginx on systems where callers can use any loopback address; otherwise undefined, which is reported. */
export const nginx =
  process.platform === 'linux' ? candidates.find((file) => fs.existsSync(file)) : undefined;
if (nginx === undefined) reportMissingTool(MISSING, process.env);

/** Skipped without nginx. */
export const describeWithNginx = nginx === undefined ? describe.skip : describe;
export const itWithNginx = nginx === undefined ? it.skip : it;

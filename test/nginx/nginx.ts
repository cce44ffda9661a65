import { reportMissingTool } from '../set-up/missing-tool.js';
import { findNginx } from './find-nginx.js';

const MISSING =
  'No nginx was found on the PATH of a Linux system, so the tests of limits behind a proxy cannot run.';

/** The path of nginx; undefined where there is none, which is reported. */
export const nginx = findNginx(process.env);
if (nginx === undefined) reportMissingTool(MISSING, process.env);

/** Skipped where there is no nginx. */
export const describeWithNginx = nginx === undefined ? describe.skip : describe;
export const itWithNginx = nginx === undefined ? it.skip : it;

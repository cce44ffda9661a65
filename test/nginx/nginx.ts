import { findNginx } from './find-nginx.js';
import { reportMissingNginx } from './missing-nginx.js';

/** The path of nginx; undefined where there is none, which is reported. */
export const nginx = findNginx(process.env);
if (nginx === undefined) reportMissingNginx(process.env);

/** Skipped where there is no nginx. */
export const describeWithNginx = nginx === undefined ? describe.skip : describe;
export const itWithNginx = nginx === undefined ? it.skip : it;

import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The user's cache folder: it outlives a clone and leaves `git status` clean. */
export function cacheFolder(): string {
  const configured = process.env.XDG_CACHE_HOME ?? '';
  const base = isAbsolute(configured) ? configured : join(homedir(), '.cache');
  return join(base, 'license-management-service');
}

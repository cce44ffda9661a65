import fs from 'node:fs';
import os from 'node:os';

/** Runs an action as a user without root's privilege to ignore file permissions. */
export async function unprivileged<Result>(
  action: () => Result | Promise<Result>,
): Promise<Result> {
  if (process.getuid?.() !== 0) return action();
  // Only root may be able to reach the temporary folder of a run.
  fs.chmodSync(os.tmpdir(), (fs.statSync(os.tmpdir()).mode & 0o7777) | 0o011);
  process.seteuid!(65_534);
  try {
    return await action();
  } finally {
    process.seteuid!(0);
  }
}

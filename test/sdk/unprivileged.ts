import fs from 'node:fs';
import os from 'node:os';

/** Runs an action as a user whom the permissions of files bind; they do not bind root. */
export async function unprivileged<Result>(
  action: () => Result | Promise<Result>,
): Promise<Result> {
  if (process.getuid?.() !== 0) return action();
  // The temporary folder of a run may be root's alone.
  fs.chmodSync(os.tmpdir(), (fs.statSync(os.tmpdir()).mode & 0o7777) | 0o011);
  process.seteuid!(65_534);
  try {
    return await action();
  } finally {
    process.seteuid!(0);
  }
}

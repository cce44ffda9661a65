import fs from 'node:fs';
import path from 'node:path';
import { StartupError } from '../errors/startup-error.js';

/** Permission bits of the group and of others. */
const OTHERS = 0o077;
/** Set on folders shared by many users, such as /tmp. */
const STICKY = 0o1000;

/**
 * Creates a folder that only its owner can enter, and missing parent folders.
 *
 * fs.mkdirSync with `recursive` never returns below a folder that allows no subfolders, such as /proc.
 */
export function makeDataFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeDataFolder(parent);
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** @throws StartupError unless this user can write to the folder and its files, or create it */
export function requireUsable(folder: string): void {
  const { R_OK, W_OK, X_OK } = fs.constants;
  let existing = folder;
  while (!fs.existsSync(existing)) existing = path.dirname(existing);
  // Fails for a file, too.
  requireAccess(path.join(existing, path.sep), W_OK | X_OK);
  if (existing !== folder) return;
  for (const name of fs.readdirSync(folder)) requireAccess(path.join(folder, name), R_OK | W_OK);
}

function requireAccess(target: string, mode: number): void {
  try {
    fs.accessSync(target, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `${target} cannot be read or written (${code}). Make it accessible to this user, or set DATA_DIR to a different folder.`,
    );
  }
}

/** Makes new directory entries durable. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders, and flushes their entries itself.
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(folder, 'r');
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}

/**
 * Denies other users of the machine access to the data folder, and thereby to its secrets and store.
 *
 * @returns a warning if other users had or have access; none on Windows, which has no modes
 * @throws StartupError if other users can access a secret and the folder's mode cannot be changed
 */
export function restrictDataFolder(dataDir: string): string[] {
  if (process.platform === 'win32' || !fs.existsSync(dataDir)) return [];
  const folder = fs.realpathSync(dataDir);
  const before = modeOf(folder);
  if ((before & OTHERS) === 0) return [];
  try {
    if ((before & STICKY) === 0) fs.chmodSync(folder, 0o700);
  } catch {
    // Fails for users other than the owner. Without file modes, it may succeed but have no effect.
  }
  const after = modeOf(folder);
  if ((after & OTHERS) === 0) {
    const modes = `its mode was ${octal(before)} and is now ${octal(after)}`;
    return [`Other users of this machine had access to ${folder}: ${modes}.`];
  }
  for (const name of ['jwt-secret', 'license-secret']) {
    const file = path.join(folder, name);
    if (fs.existsSync(file) && (modeOf(file) & OTHERS) !== 0) {
      throw new StartupError(
        `Other users of this machine have access to ${file} (mode ${octal(modeOf(file))}). Run "chmod 600 ${file}" as its owner.`,
      );
    }
  }
  return [
    `Other users of this machine have access to ${folder} (mode ${octal(after)}), and this process cannot change that. ` +
      'Set DATA_DIR to a separate folder on a file system that supports file permissions.',
  ];
}

/**
 * Commands do not run as root in another user's folder, because the service could not access the files that
 * they create there.
 *
 * @throws StartupError
 */
export function requireOwnFolder(dataDir: string, user = process.getuid?.()): void {
  if (user !== 0 || !fs.existsSync(dataDir)) return;
  const { uid } = fs.statSync(dataDir);
  if (uid === 0) return;
  throw new StartupError(
    `${dataDir} belongs to the user with the id ${uid}, and this command runs as root. Run it as that user, ` +
      `for example with "sudo -u '#${uid}'".`,
  );
}

const modeOf = (target: string) => fs.statSync(target).mode;

const octal = (mode: number) => (mode & 0o777).toString(8);

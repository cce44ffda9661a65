import fs from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { StartupError } from '../errors/startup-error.js';

/** Permission bits of the group and of others. */
const OTHERS = 0o077;
/** Set on folders that many users share, such as /tmp. */
const STICKY = 0o1000;

/** The files of the data folder; a secret has the variable that can replace it. */
const FILES = [
  ['jwt-secret', 'JWT_SECRET'],
  ['license-secret', 'LICENSE_SECRET'],
  ...['', '-wal', '-shm', '-owner'].map((suffix) => [`licenses.sqlite${suffix}`] as const),
] as const;

const SECRET_VARIABLES = [
  'JWT_SECRET',
  'LICENSE_SECRET',
  'LICENSE_SECRET_PREVIOUS',
  'MONGODB_URI',
] as const;

/**
 * Denies other users of the machine access to the data folder, its secrets and its store.
 *
 * @returns a warning for each mode that was changed or could not be; none on Windows, which has no modes
 * @throws StartupError if others have access to a secret and its mode cannot be changed
 */
export function keepDataPrivate(dataDir: string): string[] {
  if (process.platform === 'win32' || !isFolder(dataDir)) return [];
  const folder = fs.realpathSync(dataDir);
  const warnings = [
    makePrivate(folder, 0o700, 'set DATA_DIR to a folder of its own, on a file system with modes'),
  ];
  const canBeOpened = isOpenToOthers(folder);
  for (const [name, variable] of FILES) {
    const file = path.join(folder, name);
    const replacement = variable ? `, or set ${variable} and remove the file` : '';
    const remedy = `run "chmod 600 ${file}" as its owner${replacement}`;
    const warning = makePrivate(file, 0o600, remedy);
    if (variable && canBeOpened && isOpenToOthers(file)) throw new StartupError(warning);
    warnings.push(warning);
  }
  return warnings.filter((warning) => warning !== undefined);
}

/** A warning if other users have access to secrets in `.env`; its mode is left to the operator. */
export function warnOfOpenDotEnv(): string[] {
  if (process.platform === 'win32' || !isOpenToOthers('.env')) return [];
  const variables = parseEnv(fs.readFileSync('.env', 'utf8'));
  if (!SECRET_VARIABLES.some((name) => variables[name]?.trim())) return [];
  return [`${open(path.resolve('.env'))}, which holds secrets: run "chmod 600 .env".`];
}

/** Changes a mode that gives access to others. Returns a warning, or undefined if there is nothing to change. */
function makePrivate(target: string, mode: number, remedy: string): string | undefined {
  if (!isOpenToOthers(target)) return undefined;
  const before = octal(target);
  try {
    if (mayChange(target)) fs.chmodSync(target, mode);
  } catch {
    // Fails for users other than the owner; on a file system without modes it may succeed without effect.
  }
  return isOpenToOthers(target)
    ? `${open(target)}, and this process cannot change that: ${remedy}.`
    : `Other users of this machine had access to ${target}: its mode was ${before} and is now ${octal(target)}.`;
}

/** The target of a link, or a shared folder such as /tmp, may belong to something else. */
function mayChange(target: string): boolean {
  return !fs.lstatSync(target).isSymbolicLink() && (modeOf(target) & STICKY) === 0;
}

function isFolder(target: string): boolean {
  return (modeOf(target) & fs.constants.S_IFMT) === fs.constants.S_IFDIR;
}

const isOpenToOthers = (target: string) => (modeOf(target) & OTHERS) !== 0;

/** The mode of a file; 0 if it is missing or unreachable: then its use fails. */
function modeOf(target: string): number {
  try {
    return fs.statSync(target).mode;
  } catch {
    return 0;
  }
}

const octal = (target: string) => (modeOf(target) & 0o777).toString(8);

const open = (target: string) =>
  `Other users of this machine have access to ${target} (mode ${octal(target)})`;

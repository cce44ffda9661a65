import { execFileSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { LicenseError } from './license-error.js';
import { writeWhole } from './whole-file.js';

/** Placeholder ids of firmware, and the id of documentation examples. */
const CONSTANTS = new Set([
  '00020003000400050006000700080009',
  '03000200040005000006000700080009',
  '0123456789abcdef0123456789abcdef',
]);

/** The operating system, from which the machine id is read. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly exists: (file: string) => boolean;
  /** The text of a file; empty if it cannot be read. */
  readonly read: (file: string) => string;
  /** What a command prints; empty if it fails. */
  readonly run: (command: string, args: readonly string[]) => string;
}

const SYSTEM: System = {
  platform: process.platform,
  env: process.env,
  exists: (file) => fs.existsSync(file),
  read: (file) => orEmpty(() => fs.readFileSync(file, 'utf8')),
  run: (command, args) =>
    orEmpty(() => execFileSync(command, args, { encoding: 'utf8', timeout: 5000, stdio: 'pipe' })),
};

/**
 * HMAC-SHA-256 of the product under the machine's id, in hexadecimal: it tells nobody the id, and two products get
 * different ones. A machine without an id, and every container, gets a random one, which is kept in the folder.
 *
 * @throws LicenseError `folder` if the kept id is damaged, or an error of the file system if it cannot be kept
 */
export function deriveFingerprint(folder: string, product: string, system = SYSTEM): string {
  const machineId = usableId(systemId(system)) ?? keptId(folder);
  return createHmac('sha256', machineId).update(product).digest('hex');
}

function usableId(text: string): string | undefined {
  const id = text.trim().toLowerCase().replaceAll('-', '');
  const isOwn = /^[0-9a-f]{32}$/.test(id) && new Set(id).size > 2 && !CONSTANTS.has(id);
  return isOwn ? id : undefined;
}

function systemId({ platform, env, exists, read, run }: System): string {
  // The id inside a container belongs to its image: all its containers have the same.
  const isContainer = ['/.dockerenv', '/run/.containerenv'].some((file) => exists(file));
  if (isContainer || env.KUBERNETES_SERVICE_HOST) return '';
  if (platform === 'darwin') {
    const device = run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
    return /"IOPlatformUUID" = "(.+)"/.exec(device)?.[1] ?? '';
  }
  if (platform === 'win32') {
    const key = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';
    const command = `${env.SystemRoot}\\System32\\reg.exe`;
    const entry = run(command, ['query', key, '/v', 'MachineGuid', '/reg:64']);
    return /REG_SZ\s+(\S+)/.exec(entry)?.[1] ?? '';
  }
  return read('/etc/machine-id');
}

function keptId(folder: string): string {
  const file = path.join(folder, 'machine-id');
  if (!fs.existsSync(file)) writeWhole(file, randomBytes(16).toString('hex'), linkUnlessExists);
  const id = usableId(fs.readFileSync(file, 'utf8'));
  if (id) return id;
  throw new LicenseError('folder', `The file ${file} is damaged: restore it, or remove it.`);
}

/** A link never replaces a file, so two processes that start at once use the same id. */
function linkUnlessExists(temporary: string, file: string): void {
  try {
    fs.linkSync(temporary, file);
  } catch {
    // Some volumes have no links.
    copyUnlessExists(temporary, file);
  }
}

function copyUnlessExists(temporary: string, file: string): void {
  try {
    fs.writeFileSync(file, fs.readFileSync(temporary), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function orEmpty(text: () => string): string {
  try {
    return text();
  } catch {
    return '';
  }
}

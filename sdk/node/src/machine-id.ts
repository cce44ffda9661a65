import { execFileSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { FolderLock } from './folder-lock.js';
import { LicenseError } from './license-error.js';
import { readRegularFile } from './regular-file.js';
import { removeTemporary, writeWhole } from './whole-file.js';

/** Placeholder ids of firmware, and the id used in documentation. */
const CONSTANTS = new Set([
  '00020003000400050006000700080009',
  '03000200040005000006000700080009',
  '0123456789abcdef0123456789abcdef',
]);

/** How often to query an id before giving up. */
const ATTEMPTS = 3;

/** The operating system that the machine id is read from. Its functions throw if they fail. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly exists: (file: string) => boolean;
  /** The text of a file; undefined if it does not exist. */
  readonly read: (file: string) => string | undefined;
  /** The output of a command. */
  readonly run: (command: string, args: readonly string[]) => string;
}

const SYSTEM: System = {
  platform: process.platform,
  env: process.env,
  exists: (file) => fs.existsSync(file),
  read: (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined),
  run: (command, args) =>
    execFileSync(command, args, {
      ...{ encoding: 'utf8', timeout: 5000, stdio: 'pipe', windowsHide: true },
    }),
};

interface Place {
  readonly folder: string;
  readonly product: string;
  /** Whether a machine without an id may get a random one. */
  readonly allowRandomId: boolean;
}

/**
 * HMAC-SHA-256 of the product, keyed with the machine's id, in hexadecimal. It does not reveal the id and
 * differs between products. A machine without an id, and every container, gets a random id, stored in the
 * folder.
 *
 * @throws LicenseError `machine_id` if the system's id is temporarily unavailable, or if it has none and a
 *   random one is not allowed; `folder` if the stored id is damaged; or a file system error if it cannot be
 *   stored
 */
export function deriveFingerprint(
  { folder, product, allowRandomId }: Place,
  system = SYSTEM,
): string {
  const own = usableId(querySystem(system));
  if (!own && !allowRandomId) {
    throw new LicenseError('machine_id', 'This machine has no unique id.');
  }
  return createHmac('sha256', own ?? keptId(folder))
    .update(product)
    .digest('hex');
}

function usableId(text: string): string | undefined {
  const id = text.trim().toLowerCase().replaceAll('-', '');
  const isOwn = /^[0-9a-f]{32}$/.test(id) && new Set(id).size > 2 && !CONSTANTS.has(id);
  return isOwn ? id : undefined;
}

/** Replacing a temporarily unavailable id with a random one would count as another machine. */
function querySystem(system: System): string {
  let cause: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      return systemId(system);
    } catch (error) {
      cause = error;
    }
  }
  const message = 'The id of this machine cannot be read at the moment. Try again.';
  throw new LicenseError('machine_id', message, null, { cause });
}

function systemId({ platform, env, exists, read, run }: System): string {
  if (platform === 'darwin') {
    const device = run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
    return entryOf(device, /"IOPlatformUUID" = "(.+)"/);
  }
  if (platform === 'win32') {
    // Node needs another process to read the registry.
    const command = `${env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`;
    const key = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';
    const printed = run(command, ['query', key, '/v', 'MachineGuid', '/reg:64']);
    return entryOf(printed, /REG_SZ\s+(\S+)/);
  }
  if (platform === 'linux') {
    // The id inside a container belongs to its image: all its containers share it.
    const isContainer = ['/.dockerenv', '/run/.containerenv'].some((file) => exists(file));
    if (isContainer || env.KUBERNETES_SERVICE_HOST) return '';
  }
  const id = read('/etc/machine-id') ?? '';
  // The system's first start, before the id is written.
  if (id.trim() === 'uninitialized') throw new Error('The system has not been set up yet.');
  return id;
}

/** A command without output has failed. */
function entryOf(printed: string, pattern: RegExp): string {
  const [, entry] = pattern.exec(printed) ?? [];
  if (entry === undefined) throw new Error('The command has printed no id.');
  return entry;
}

function keptId(folder: string): string {
  const file = path.join(folder, 'machine-id');
  if (!fs.existsSync(file)) {
    new FolderLock(folder).hold((check) => {
      removeTemporary(file);
      // If two processes start at the same time, both use the id of the first.
      if (fs.existsSync(file)) return;
      writeWhole(file, randomBytes(16).toString('hex'), check);
    });
  }
  const id = usableId(readRegularFile(file)?.toString() ?? '');
  if (id) return id;
  throw new LicenseError('folder', `The file ${file} is damaged. Restore or delete it.`);
}

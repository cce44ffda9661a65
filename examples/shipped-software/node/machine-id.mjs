import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** What firmware has whose maker never set an id, and what stands in examples. */
const CONSTANTS = new Set([
  '00020003000400050006000700080009',
  '03000200040005000006000700080009',
  '0123456789abcdef0123456789abcdef',
]);

/** Its message tells the user what to set. */
export class ConfigurationError extends Error {}

/** The id that the machine's system has, or else one that is made once and kept in the folder. */
export function readMachineId({ folder, machineIdFile }) {
  return usableId(machineIdFile ? textOf(machineIdFile) : systemId()) ?? keptId(folder);
}

function usableId(text) {
  const id = text.trim().toLowerCase().replaceAll('-', '');
  const isOwn = /^[0-9a-f]{32}$/.test(id) && new Set(id).size > 2 && !CONSTANTS.has(id);
  return isOwn ? id : undefined;
}

function systemId() {
  // The system's id belongs to the image there: every container of it has the same.
  const isContainer = ['/.dockerenv', '/run/.containerenv'].some((file) => fs.existsSync(file));
  if (isContainer || process.env.KUBERNETES_SERVICE_HOST) return '';
  switch (process.platform) {
    case 'darwin': {
      const device = outputOf('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
      return /"IOPlatformUUID" = "(.+)"/.exec(device)?.[1] ?? '';
    }
    case 'win32': {
      const key = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';
      const command = `${process.env.SystemRoot}\\System32\\reg.exe`;
      const entry = outputOf(command, ['query', key, '/v', 'MachineGuid', '/reg:64']);
      return /REG_SZ\s+(\S+)/.exec(entry)?.[1] ?? '';
    }
    default:
      return textOf('/etc/machine-id');
  }
}

function outputOf(command, args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', timeout: 5000, stdio: 'pipe' });
  } catch {
    return '';
  }
}

export function textOf(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function keptId(folder) {
  const file = path.join(folder, 'machine-id');
  try {
    // A link never replaces: of two first starts at once, both take the id of the first.
    if (!fs.existsSync(file)) writeWhole(file, randomBytes(16).toString('hex'), fs.linkSync);
  } catch (error) {
    if (error.code !== 'EEXIST') {
      throw new ConfigurationError(`LICENSE_STATE_DIR cannot be written (${error.code}).`);
    }
  }
  const id = usableId(textOf(file));
  if (!id) throw new ConfigurationError(`The file ${file} is damaged: restore it, or remove it.`);
  return id;
}

/** Writes a file for its owner alone, and has `place` give it its name when it is complete. */
export function writeWhole(file, text, place) {
  const temporary = `${file}.${randomUUID()}`;
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    fs.writeFileSync(temporary, text, { mode: 0o600, flush: true });
    place(temporary, file);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

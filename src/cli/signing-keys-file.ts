import { randomBytes } from 'node:crypto';
import type { SigningKeys } from '../certificates/signing-keys/signing-keys.js';
import { open, seal } from '../shared/sealing/sealing.js';
import { CommandError } from './command-error.js';
import { keyOf } from './passphrase.js';

const FORMAT = 'license-management-service signing keys';

/** An exported key pair: base64url of 32 bytes each. */
export interface ExportedKey {
  readonly x: string;
  readonly seed: string;
}

/** The exported signing keys of an account. */
export interface ExportedSigningKeys extends Pick<
  SigningKeys,
  'issuer' | 'rotations' | 'retired' | 'createdAt'
> {
  readonly current: ExportedKey;
  readonly next: ExportedKey;
}

/**
 * JSON with the issuer and rotations in plain text. The keys are encrypted with AES-256-GCM, using a key
 * derived by scrypt.
 */
export function encryptSigningKeys(keys: ExportedSigningKeys, passphrase: string): string {
  const { issuer, rotations } = keys;
  const salt = randomBytes(16).toString('base64url');
  const sealed = seal(keyOf(passphrase, salt), Buffer.from(JSON.stringify(keys)), FORMAT);
  const file = { format: FORMAT, issuer, rotations, salt, sealed };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** @throws CommandError if the text is not such a file or the passphrase is wrong */
export function decryptSigningKeys(text: string, passphrase: string): ExportedSigningKeys {
  const { format, salt, sealed } = parse(text) ?? {};
  if (format !== FORMAT || typeof salt !== 'string' || typeof sealed !== 'string') {
    throw new CommandError('The file does not contain exported signing keys.');
  }
  try {
    const plain = open(keyOf(passphrase, salt), sealed, FORMAT).toString();
    return JSON.parse(plain, reviveTimes) as ExportedSigningKeys;
  } catch {
    throw new CommandError('The passphrase is wrong, or the file is damaged.');
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return null;
  }
}

const reviveTimes = (name: string, value: unknown) =>
  name.endsWith('At') ? new Date(value as string) : value;

import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Config } from '../config/config.js';
import { StartupError } from '../errors/startup-error.js';
import type { SecurityLog } from '../logging/security-log.js';
import type { DeploymentItems } from '../../storage/deployment-items.js';
import { open, seal } from './sealing.js';

const KEY_BYTES = 32;

/**
 * The random keys of this deployment, 256 bits each. Generated once and stored wrapped with
 * LICENSE_SECRET, so the secret can be rotated without rewriting licenses.
 */
export class DataKeys {
  /** For keyed lookup hashes of license keys, idempotency records and login addresses. */
  readonly lookup: KeyObject;
  /** Seals license keys. */
  readonly sealing: KeyObject;
  /** For the keyed hash of a machine's identity. */
  readonly machine: KeyObject;

  constructor(bytes: Buffer) {
    [this.lookup, this.sealing, this.machine] = [0, 1, 2].map((index) =>
      createSecretKey(bytes.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES)),
    ) as [KeyObject, KeyObject, KeyObject];
  }

  /** A keyed lookup hash: HMAC-SHA256 of the parts, base64url. */
  hash(...parts: unknown[]): string {
    return createHmac('sha256', this.lookup).update(JSON.stringify(parts)).digest('base64url');
  }
}

/**
 * Loads this deployment's data keys, or generates them on first start. Keys wrapped with the previous secret
 * are rewrapped with the current one, which is logged as a security event.
 *
 * @throws StartupError if no secret unwraps them
 */
export async function loadDataKeys(
  deployment: DeploymentItems,
  { licenseSecret, licenseSecretPrevious }: Pick<Config, 'licenseSecret' | 'licenseSecretPrevious'>,
  securityLog: SecurityLog,
): Promise<DataKeys> {
  const generate = () => wrap(randomBytes(3 * KEY_BYTES), licenseSecret);
  const wrapped = await deployment.findOrCreate('data-keys', generate);
  const bytes = unwrap(wrapped, licenseSecret);
  if (bytes) return new DataKeys(bytes);

  const former = licenseSecretPrevious && unwrap(wrapped, licenseSecretPrevious);
  if (!former) {
    throw new StartupError(
      'LICENSE_SECRET does not match this store. Set the secret that the store was created with. To rotate it, ' +
        'set LICENSE_SECRET to the new secret and LICENSE_SECRET_PREVIOUS to the old one.',
    );
  }
  // If several instances start at the same time, only one replaces the keys.
  if (await deployment.replace('data-keys', wrapped, wrap(former, licenseSecret))) {
    securityLog.record('secret_rotated');
  }
  return new DataKeys(former);
}

const wrap = (bytes: Buffer, secret: string) => seal(wrappingKey(secret), bytes, 'data-keys');

/** Whether a secret unwraps the stored data keys. */
export const opensDataKeys = (wrapped: string, secret: string): boolean =>
  unwrap(wrapped, secret) !== undefined;

function unwrap(wrapped: string, secret: string): Buffer | undefined {
  try {
    return open(wrappingKey(secret), wrapped, 'data-keys');
  } catch {
    return undefined;
  }
}

function wrappingKey(secret: string): Buffer {
  const info = 'license-management-service data-keys';
  return Buffer.from(hkdfSync('sha256', secret, '', info, KEY_BYTES));
}

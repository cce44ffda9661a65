import { type CipherKey, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals a text with AES-256-GCM under a 256-bit key, bound to `context` as additional data.
 *
 * @returns base64url of the random 96-bit nonce, the ciphertext and the 128-bit tag
 */
export function seal(key: CipherKey, plain: Buffer, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

/**
 * Reverses {@link seal}.
 *
 * @throws Error if the key or context differs, or the text was modified
 */
export function open(key: CipherKey, sealed: string, context: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const encrypted = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]);
}

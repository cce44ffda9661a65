import { createHash } from 'node:crypto';
import type { Program } from './verify.js';

/** What the vendor needs to issue a certificate for this machine, with a checksum because people may type it in. */
export function requestText({ product, fingerprint }: Program): string {
  const check = createHash('sha256').update(`license-request:v1\n${product}\n${fingerprint}`);
  return JSON.stringify({ fingerprint, product, check: check.digest('hex').slice(0, 8) });
}

/**
 * A certificate without what mail programs and people add: line breaks, spaces, quotes, and `> ` at the
 * start of lines.
 */
export function certificateText(text: string): string {
  return text.replaceAll(/[^\w.-]/g, '');
}

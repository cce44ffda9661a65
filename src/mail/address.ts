import { domainToASCII } from 'node:url';

/**
 * The form in which an address is mailed and counted, with its domain in ASCII (A-labels).
 *
 * @returns undefined if it cannot receive mail: a quoted local part, a control or format character, or a
 *   domain that never receives mail
 */
export function mailableAddress(address: string): string | undefined {
  const [local = '', domain = '', ...more] = address.split('@');
  const ascii = domainToASCII(domain).toLowerCase();
  const isPlain = /^[^\s"<>(),:;[\]\\\p{Cc}\p{Cf}]+$/u.test(local) && more.length === 0;
  const isReachable = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(ascii) && !ascii.endsWith('.invalid');
  return isPlain && isReachable ? `${local}@${ascii}` : undefined;
}

export const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

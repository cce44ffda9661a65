import { CONTACT_MESSAGES, LicenseError } from './license-error.js';
import type { Failure, Rejected } from './service-client.js';
import { systemError } from './transport.js';

/** The shape of a license key; each digit stands for a letter or digit. */
const KEY = 'LIC-000000000000000000000000-0000-0000-0000';

/**
 * The error for a reply without a certificate.
 *
 * @param key the key the user entered
 */
export function errorOf(reply: Failure | Rejected, key = ''): LicenseError {
  if (reply.outcome === 'rejected') {
    const { rejection, code = rejection, message = CONTACT_MESSAGES[rejection] } = reply;
    return new LicenseError(code, message);
  }
  const { reason, code = reason, message, retryAfter = null, cause } = reply;
  const known = message ?? messageOf(code) ?? CONTACT_MESSAGES[reason];
  const isCutOff = code === 'unknown_key' && isIncomplete(key);
  const text = isCutOff ? `${known} This is not a complete license key.` : known;
  return new LicenseError(code, text, retryAfter, { cause: systemError(cause) });
}

function messageOf(code: string): string | undefined {
  return Object.hasOwn(CONTACT_MESSAGES, code)
    ? CONTACT_MESSAGES[code as keyof typeof CONTACT_MESSAGES]
    : undefined;
}

/** Whether part of a license key is missing. */
function isIncomplete(key: string): boolean {
  const whole = key.toUpperCase() + KEY.slice(key.length);
  const isBegun = key.length >= 4 && key.length < KEY.length;
  return isBegun && /^LIC-[0-9A-F]{24}(-[0-9A-Z]{4}){3}$/.test(whole);
}

import { CONTACT_MESSAGES, LicenseError } from './license-error.js';
import type { Failure, PlaceReply } from './service-client.js';

/** The error that a reply without a certificate becomes. */
export function errorOf(
  reply: Failure | Extract<PlaceReply, { outcome: 'rejected' }>,
): LicenseError {
  if (reply.outcome === 'rejected') {
    return new LicenseError(reply.rejection, CONTACT_MESSAGES[reply.rejection]);
  }
  const { reason, code = reason, message, retryAfter = null } = reply;
  return new LicenseError(code, message ?? messageOf(code) ?? CONTACT_MESSAGES[reason], retryAfter);
}

function messageOf(code: string): string | undefined {
  return Object.hasOwn(CONTACT_MESSAGES, code)
    ? CONTACT_MESSAGES[code as keyof typeof CONTACT_MESSAGES]
    : undefined;
}

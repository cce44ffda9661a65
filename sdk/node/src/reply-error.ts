import { CONTACT_MESSAGES, LicenseError } from './license-error.js';
import type { Failure, Rejected } from './service-client.js';

/** The error that a reply without a certificate becomes. */
export function errorOf(reply: Failure | Rejected): LicenseError {
  if (reply.outcome === 'rejected') {
    const { rejection, code = rejection, message = CONTACT_MESSAGES[rejection] } = reply;
    return new LicenseError(code, message);
  }
  const { reason, code = reason, message, retryAfter = null, cause } = reply;
  const text = message ?? messageOf(code) ?? CONTACT_MESSAGES[reason];
  return new LicenseError(code, text, retryAfter, { cause: systemError(cause) });
}

function messageOf(code: string): string | undefined {
  return Object.hasOwn(CONTACT_MESSAGES, code)
    ? CONTACT_MESSAGES[code as keyof typeof CONTACT_MESSAGES]
    : undefined;
}

/** The error whose `code` says whether DNS, TLS or the connection failed: fetch wraps it. */
function systemError(error: unknown): unknown {
  const { cause } = Object(error) as { cause?: unknown };
  return cause ?? error;
}

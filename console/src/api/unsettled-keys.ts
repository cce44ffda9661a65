import { toHex } from './random-key.js';

/** The `Idempotency-Key` of each write of which nobody knows whether the service has executed it, by {@link nameOf}. */
class UnsettledKeys {
  private readonly keys = new Map<string, string>();

  /**
   * The key of a write: that of the same write before, while it is not settled.
   *
   * @param key a new one
   */
  keyOf(name: string, key: string): string {
    const known = this.keys.get(name) ?? key;
    this.keys.set(name, known);
    return known;
  }

  /** The service has executed or rejected the write. */
  settle(name: string): void {
    this.keys.delete(name);
  }

  clear(): void {
    this.keys.clear();
  }
}

/**
 * They outlive the forms, which may be opened again, and a session that has expired: its user may log in and submit the
 * same write again. On pages that came by plain HTTP they end with the session.
 */
export const unsettledKeys = new UnsettledKeys();

/** The name of a write of an account: a digest, as the content may contain a password. */
export async function nameOf(account: string | null, request: Request): Promise<string> {
  const content = `${account} ${request.method} ${request.url} ${await request.clone().text()}`;
  // Pages that came by plain HTTP have no digests.
  if (!isSecureContext) return content;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content));
  return toHex(new Uint8Array(digest));
}

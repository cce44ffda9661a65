import { toHex } from './random-key.js';

/** The `Idempotency-Key` of each write of which nobody knows whether the service has executed it, by {@link nameOf}. */
class UnsettledKeys {
  private readonly keys = new Map<string, string>();
  /** The key that each submission has sent, by its own, until it ends: its repetitions send the same. */
  private readonly sent = new Map<string, string>();

  /**
   * The key that a submission sends: that of the same write before, while it is not settled.
   *
   * @param own the submission's own key
   */
  keyOf(name: string, own: string): string {
    const key = this.sent.get(own) ?? this.keys.get(name) ?? own;
    this.sent.set(own, key);
    this.keys.set(name, key);
    return key;
  }

  /** The service has executed or rejected a submission. The write is settled, unless another one still sends its key. */
  settle(name: string, own: string, key: string): void {
    this.sent.delete(own);
    const isSent = [...this.sent.values()].includes(key);
    if (this.keys.get(name) === key && !isSent) this.keys.delete(name);
  }

  /** A submission has ended. */
  forget(own: string): void {
    this.sent.delete(own);
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

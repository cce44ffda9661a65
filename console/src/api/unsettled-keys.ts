import { toHex } from './random-key.js';

/** The `Idempotency-Key` of each write with an unknown outcome, by {@link nameOf}. */
class UnsettledKeys {
  private readonly keys = new Map<string, string>();
  /** The key that each submission sends, by its own key, until it ends. Retries send the same key. */
  private readonly sent = new Map<string, string>();

  /**
   * The key to send. A write that was submitted before and is still unsettled keeps its key.
   *
   * @param own the submission's own key
   */
  keyOf(name: string, own: string): string {
    const key = this.sent.get(own) ?? this.keys.get(name) ?? own;
    this.sent.set(own, key);
    this.keys.set(name, key);
    return key;
  }

  /** The service executed or rejected a submission. This settles the write, unless another submission still sends its key. */
  settle(name: string, own: string, key: string): void {
    this.sent.delete(own);
    const isSent = [...this.sent.values()].includes(key);
    if (this.keys.get(name) === key && !isSent) this.keys.delete(name);
  }

  /** A submission ended. */
  forget(own: string): void {
    this.sent.delete(own);
  }

  clear(): void {
    this.keys.clear();
  }
}

/**
 * Keys outlive the form and an expired session, because the user may reopen the form or sign in and submit
 * the same write again. On pages served over plain HTTP, they only last as long as the session.
 */
export const unsettledKeys = new UnsettledKeys();

/** Identifies a write in an account by a digest, because the content may include a password. */
export async function nameOf(account: string | null, request: Request): Promise<string> {
  const content = `${account} ${request.method} ${request.url} ${await request.clone().text()}`;
  // `crypto.subtle` is missing on pages served over plain HTTP.
  if (!isSecureContext) return content;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content));
  return toHex(new Uint8Array(digest));
}

/** What the software on a machine without a network shows, and its vendor sends on. */
export interface CertificateRequest {
  readonly fingerprint: string;
  readonly product: string;
  readonly check?: string;
}

/** Reads a request that somebody pasted; null if it is none. The service checks what it contains. */
export function readCertificateRequest(text: string): CertificateRequest | null {
  try {
    const { fingerprint, product, check } = JSON.parse(text) as Record<string, unknown>;
    if (typeof fingerprint !== 'string' || typeof product !== 'string') return null;
    return { fingerprint, product, ...(typeof check === 'string' && { check }) };
  } catch {
    return null;
  }
}

/** The request that an app shows for offline activation. */
export interface CertificateRequest {
  readonly fingerprint: string;
  readonly product: string;
  readonly check?: string;
}

/** Reads a pasted request; null if it is not one. The service validates its content. */
export function readCertificateRequest(text: string): CertificateRequest | null {
  try {
    const { fingerprint, product, check } = JSON.parse(text) as Record<string, unknown>;
    if (typeof fingerprint !== 'string' || typeof product !== 'string') return null;
    return { fingerprint, product, ...(typeof check === 'string' && { check }) };
  } catch {
    return null;
  }
}

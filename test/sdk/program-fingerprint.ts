import type { Customer } from './customer.js';

/** The fingerprint that a program in a container of this customer derives. */
export function programFingerprint(customer: Customer): string {
  process.env.KUBERNETES_SERVICE_HOST = '10.0.0.1';
  try {
    const license = customer.license({ fingerprint: undefined });
    return (JSON.parse(license.request()) as { fingerprint: string }).fingerprint;
  } finally {
    delete process.env.KUBERNETES_SERVICE_HOST;
  }
}

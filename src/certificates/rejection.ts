import { machineOf, signJws, type Signer } from './jws.js';

/** The statuses that end a license on its machine, so that software acts on them with a proof only. */
const REJECTIONS = ['revoked', 'expired', 'suspended', 'machine_mismatch', 'lease_ended'] as const;

export type SignedStatus = (typeof REJECTIONS)[number];

export const isSignedStatus = (status: string): status is SignedStatus =>
  (REJECTIONS as readonly string[]).includes(status);

export interface RejectionRequest {
  readonly product: string;
  readonly fingerprint: string;
  /** Of the software, so that no response of the past proves anything. */
  readonly nonce: string;
}

/** Signs that a license must not be used on a machine: a compact JWS with the typ `license-rejection+jwt`. */
export function signRejection(
  licenseId: string,
  status: SignedStatus,
  { product, fingerprint, nonce }: RejectionRequest,
  signer: Signer,
  now: Date,
): string {
  const claims = {
    iss: signer.issuer,
    aud: product,
    sub: licenseId,
    iat: Math.floor(now.getTime() / 1000),
    nonce,
    machine: machineOf(signer.issuer, licenseId, fingerprint),
    status,
  };
  return signJws('license-rejection+jwt', claims, signer);
}

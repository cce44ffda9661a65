import { isCount, isText } from './json.js';
import { readJws } from './jws.js';
import type { Rejection } from './status.js';
import { machineOf, type Program } from './verify.js';

/** The service's names for signed rejections. */
const STATUSES: Readonly<Record<Rejection, string>> = {
  revoked: 'revoked',
  expired: 'expired',
  other_machine: 'machine_mismatch',
  suspended: 'suspended',
  lease_ended: 'lease_ended',
};

/** A rejection that the service signed, and when, in seconds since 1970. */
export interface Proven {
  readonly rejection: Rejection;
  readonly rejectedAt: number;
}

/** What a proof is checked against. */
export interface Expected {
  readonly rejection: Rejection;
  /** The nonce that the request sent. */
  readonly nonce: string;
  /** The license in the stored certificate; undefined if there is none. */
  readonly licenseId: string | undefined;
}

/** When the service signed this rejection, in seconds since 1970; undefined if the text does not prove it. */
export function provenAt(text: unknown, program: Program, expected: Expected): number | undefined {
  if (!isText(text)) return undefined;
  const jws = readJws(text, 'license-rejection+jwt', program.keys);
  if (jws.damage) return undefined;
  const { iss, aud, sub, iat, nonce, machine, status } = jws.claims;
  const isProof =
    iss === program.issuer &&
    aud === program.product &&
    isText(sub) &&
    isCount(iat) &&
    nonce === expected.nonce &&
    machine === machineOf(program, sub) &&
    status === STATUSES[expected.rejection] &&
    // The owner of another rejected license could have had it signed for this machine.
    sub === (expected.licenseId ?? sub);
  return isProof ? iat : undefined;
}

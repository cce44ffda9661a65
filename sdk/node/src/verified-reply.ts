import { type Proven, provenAt } from './rejection.js';
import type { Failure, Rejected, Reply, SeatReply } from './service-client.js';
import type { Received } from './stored-state.js';
import { type Program, readCertificate } from './verify.js';

type Verified<Replied> =
  | Exclude<Replied, { outcome: 'certificate' | 'rejected' }>
  | ({ readonly outcome: 'received' } & Received)
  | (Rejected & Proven);

/** A reply whose certificate or rejection is from the vendor, for this program on this machine. */
export type VerifiedReply = Verified<Reply>;
export type VerifiedSeatReply = Verified<SeatReply>;

interface Context {
  /** The key of the request. */
  readonly key: string;
  readonly program: Program;
  /** The license in the certificate that is stored for this key; undefined if there is none. */
  readonly storedLicense: () => string | undefined;
}

/** Verifies the certificate or the rejection of a reply. */
export function verifyReply(reply: SeatReply, context: Context): VerifiedSeatReply;
export function verifyReply(reply: Reply, context: Context): VerifiedReply;
export function verifyReply(reply: Reply, context: Context): VerifiedReply {
  if (reply.outcome === 'rejected') return verifyRejection(reply, context);
  if (reply.outcome !== 'certificate') return reply;
  const certificate = readCertificate(reply.certificate, context.program);
  if ('state' in certificate) return { outcome: 'failed', reason: 'bad_certificate' };
  return { outcome: 'received', text: reply.certificate, certificate, key: context.key };
}

function verifyRejection(
  reply: Rejected,
  { program, storedLicense }: Context,
): (Rejected & Proven) | Failure {
  const { rejection, proof, code = rejection, message } = reply;
  const { text, nonce } = proof;
  const rejectedAt = provenAt(text, program, { rejection, nonce, licenseId: storedLicense() });
  if (rejectedAt !== undefined) return { ...reply, rejectedAt };
  return { outcome: 'failed', reason: 'unproved', code, ...(message && { message }) };
}

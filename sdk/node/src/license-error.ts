import type { ContactFailure, Damage, Rejection } from './status.js';

/** A 4xx response without a code of the SDK keeps the code of the service, such as `VALIDATION_ERROR`. */
export type LicenseErrorCode =
  | ContactFailure
  | Damage
  | Rejection
  | ServiceCode
  | 'product'
  | 'machine'
  | 'option'
  | 'folder'
  | 'machine_id'
  | 'LICENSE_KEY_REQUIRED'
  | (string & {});

/** Codes of the service that a program may want to tell apart. */
type ServiceCode =
  | 'MACHINE_LIMIT_REACHED'
  | 'TRIAL_USED'
  | 'LICENSE_SUSPENDED'
  | 'LICENSE_HAS_NO_LEASES'
  | 'LICENSE_NOT_ACTIVATED'
  | 'MACHINE_NOT_FOUND'
  | 'RELEASE_NOT_ALLOWED'
  | 'RELEASE_LIMIT_REACHED'
  | 'CERTIFICATE_OUTSTANDING';

/** The only error that the SDK throws. */
export class LicenseError extends Error {
  override readonly name = 'LicenseError';

  /**
   * @param code stable, for programs
   * @param message for people
   * @param retryAfter seconds to wait before the next try, if the service said so
   */
  constructor(
    readonly code: LicenseErrorCode,
    message: string,
    readonly retryAfter: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The error for a file system error. */
export function folderError(folder: string, error: unknown): LicenseError {
  if (error instanceof LicenseError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const text = `The folder ${folder} cannot be used (${code ?? message}).`;
  return new LicenseError('folder', text, null, { cause: error });
}

/** Why nothing could be read or stored. */
export function reasonOf(error: unknown): 'folder' | 'machine_id' {
  return error instanceof LicenseError && error.code === 'machine_id' ? 'machine_id' : 'folder';
}

/** Codes of the service that the SDK can also determine itself. */
type OwnCode = 'MACHINE_LIMIT_REACHED';

export const CONTACT_MESSAGES: Readonly<Record<ContactFailure | Rejection | OwnCode, string>> = {
  no_response: 'The license service cannot be reached: check the network connection.',
  untrusted_server:
    'The identity of the license service cannot be verified: check the clock and the network.',
  timeout: 'The license service did not respond in time: try again.',
  rate_limited: 'Too many requests to the license service: try again later.',
  server_error: 'The license service cannot process requests at the moment: try again later.',
  not_the_service:
    'The response is not from the license service: check whether the network needs a login.',
  unknown_key: 'No license has this key: compare it with the one your vendor sent you.',
  no_certificate: 'The license service issued no certificate: ask your vendor to update it.',
  bad_certificate:
    'The certificate from the license service cannot be verified: update this program.',
  unproved: 'The response is not signed by the license service: check the network connection.',
  request_rejected: 'The license service rejected the request.',
  revoked: 'The license has been revoked: ask your vendor for a new license key.',
  expired: 'The license has expired: ask your vendor to renew it.',
  other_machine: 'The license is activated on another machine: ask your vendor to reissue it.',
  suspended: 'The license is suspended: contact your vendor, then try again.',
  MACHINE_LIMIT_REACHED:
    'The license is in use on as many machines as it allows: release one of them.',
  lease_ended: 'The lease of this machine has ended: activate the license again.',
};

export const CERTIFICATE_MESSAGES: Readonly<Record<Damage | 'product' | 'machine', string>> = {
  format: 'The certificate is incomplete or has been changed: copy it again.',
  header: 'The text is not a license certificate.',
  key: 'The certificate is signed with a key that this version of the program does not know.',
  signature: 'The certificate has been changed: copy it again.',
  issuer: 'The certificate is from another vendor.',
  claims: 'The certificate lacks information: ask your vendor for another one.',
  product: 'The certificate is for another product.',
  machine: 'The certificate is for another machine.',
};

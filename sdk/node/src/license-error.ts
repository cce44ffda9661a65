import type { ContactFailure, Damage, Rejection } from './status.js';

/** A 4xx response for which the SDK has no code keeps the service's code, such as `VALIDATION_ERROR`. */
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

/** The only error class that the SDK throws. */
export class LicenseError extends Error {
  override readonly name = 'LicenseError';

  /**
   * @param code stable, for programs
   * @param message for people
   * @param retryAfter seconds to wait before the next attempt, if the service said so
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

/** The error for an error of the file system. */
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
  no_response: 'The license service cannot be reached. Check the network connection.',
  untrusted_server:
    'The identity of the license service cannot be verified. Check the clock and the network.',
  timeout: 'The license service did not respond in time. Try again.',
  rate_limited: 'Too many requests to the license service. Try again later.',
  server_error: 'The license service cannot process requests at the moment. Try again later.',
  not_the_service:
    'The response is not from the license service. Check whether the network requires you to log in.',
  unknown_key: 'No license has this key. Compare it with the one your vendor sent you.',
  no_certificate:
    'The license service issued no certificate. Ask your vendor to update the service.',
  bad_certificate:
    'The certificate from the license service cannot be verified. Update this program.',
  unproved: 'The response is not signed by the license service. Check the network connection.',
  request_rejected: 'The license service rejected the request.',
  revoked: 'The license has been revoked. Ask your vendor for a new license key.',
  expired: 'The license has expired. Ask your vendor to renew it.',
  other_machine: 'The license is activated on another machine. Ask your vendor to reissue it.',
  suspended: 'The license is suspended. Contact your vendor, then try again.',
  MACHINE_LIMIT_REACHED:
    'The license is in use on as many machines as it allows. Release one of them.',
  lease_ended: 'The lease of this machine has expired. Activate the license again.',
};

export const CERTIFICATE_MESSAGES: Readonly<Record<Damage | 'product' | 'machine', string>> = {
  format: 'The certificate is incomplete or has been changed. Copy it again.',
  header: 'The text is not a license certificate.',
  key: 'The certificate is signed with a key that this version of the program does not know. Update the program.',
  signature: 'The certificate has been changed. Copy it again.',
  issuer: 'The certificate is from another vendor.',
  claims: 'The certificate is missing information. Ask your vendor for another one.',
  product: 'The certificate is for another product.',
  machine: 'The certificate is for another machine.',
};

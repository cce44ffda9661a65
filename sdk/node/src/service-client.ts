import type { ContactFailure, Rejection } from './status.js';

const MAX_BODY_BYTES = 65_536;

/** The result of requesting a certificate. */
export type Reply =
  | { readonly outcome: 'certificate'; readonly certificate: string }
  | { readonly outcome: 'rejected'; readonly rejection: Rejection }
  | Failure;

export interface Failure {
  readonly outcome: 'failed';
  readonly reason: ContactFailure;
  /** The code of a rejected activation, or the service's own. */
  readonly code?: string;
  /** The message of the service, for people. */
  readonly message?: string;
  /** Seconds to wait before the next request, from Retry-After. */
  readonly retryAfter?: number;
}

/** Replies to the statuses of a validation that is not active. */
const VALIDATIONS = new Map<unknown, Reply | 'pending'>([
  ['pending', 'pending'],
  ['revoked', { outcome: 'rejected', rejection: 'revoked' }],
  ['expired', { outcome: 'rejected', rejection: 'expired' }],
  ['machine_mismatch', { outcome: 'rejected', rejection: 'other_machine' }],
  ['suspended', { outcome: 'rejected', rejection: 'suspended' }],
  ['lease_ended', { outcome: 'rejected', rejection: 'lease_ended' }],
  ['invalid', failure('unknown_key')],
]);

/** Codes of rejected activations. */
const ACTIVATION_FAILURES = new Map<unknown, Failure>([
  ['LICENSE_NOT_FOUND', failure('unknown_key')],
  ['LICENSE_REVOKED', failure('request_rejected', { code: 'revoked' })],
  ['LICENSE_EXPIRED', failure('request_rejected', { code: 'expired' })],
  ['LICENSE_ON_ANOTHER_MACHINE', failure('request_rejected', { code: 'other_machine' })],
]);

/** Requests certificates. Rejections, unusable responses and network errors are results, not exceptions. */
export class ServiceClient {
  /** @param timeout of a request in milliseconds, until the last byte of its response */
  constructor(
    private readonly service: string,
    private readonly product: string,
    private readonly timeout: number,
  ) {}

  /** Validates the license, and activates it only if it is pending: activations have the lower rate limit. */
  async requestCertificate(key: string, fingerprint: string): Promise<Reply> {
    const validation = await this.post('/validate', key, fingerprint, readValidation);
    if (validation !== 'pending') return validation;
    return this.post('/validate/activate', key, fingerprint, readActivation);
  }

  private async post<Interpreted>(
    route: string,
    key: string,
    fingerprint: string,
    interpret: (body: Record<string, unknown>) => Interpreted,
  ): Promise<Interpreted | Failure> {
    try {
      const response = await fetch(this.service + route, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ key, fingerprint, product: this.product, certificate: true }),
        redirect: 'manual',
        signal: AbortSignal.timeout(this.timeout),
      });
      const failed = failureByStatus(response);
      if (failed) {
        // Whether the rest of the body arrives does not matter.
        response.body?.cancel().catch(() => undefined);
        return failed;
      }
      const body = await readObject(response);
      if (response.status !== 200) return rejectedRequest(body ?? {});
      return body ? interpret(body) : failure('not_the_service');
    } catch (error) {
      return failure((error as Error).name === 'TimeoutError' ? 'timeout' : 'no_response');
    }
  }
}

function readValidation({ status, certificate }: Record<string, unknown>): Reply | 'pending' {
  if (status === 'active') return certificateReply(certificate);
  return VALIDATIONS.get(status) ?? failure('not_the_service');
}

function readActivation({ success, certificate }: Record<string, unknown>): Reply {
  return success === true ? certificateReply(certificate) : failure('not_the_service');
}

function failure(reason: ContactFailure, details: Partial<Failure> = {}): Failure {
  return { outcome: 'failed', reason, ...details };
}

function certificateReply(certificate: unknown): Reply {
  if (certificate === undefined || certificate === null) return failure('no_certificate');
  if (typeof certificate !== 'string') return failure('bad_certificate');
  return { outcome: 'certificate', certificate };
}

/** The failure that the status alone decides; a 200, and a 4xx other than 429, are decided by the body. */
function failureByStatus({ status, headers }: Response): Failure | undefined {
  const [seconds] = /^\d{1,9}$/.exec(headers.get('Retry-After') ?? '') ?? [];
  const retry = seconds === undefined ? {} : { retryAfter: Number(seconds) };
  if (status === 429) return failure('rate_limited', retry);
  if (status >= 500) return failure('server_error', retry);
  return status === 200 || status >= 400 ? undefined : failure('not_the_service');
}

function rejectedRequest({ code, message }: Record<string, unknown>): Failure {
  return (
    ACTIVATION_FAILURES.get(code) ??
    failure('request_rejected', {
      ...(typeof code === 'string' && { code }),
      ...(typeof message === 'string' && { message }),
    })
  );
}

/** The JSON of a response, whose members count; undefined if it is not JSON, or too large. */
async function readObject(response: Response): Promise<Record<string, unknown> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body as AsyncIterable<Uint8Array> | null) ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop cancels the rest.
    if (length > MAX_BODY_BYTES) return undefined;
  }
  try {
    return Object(JSON.parse(Buffer.concat(chunks).toString())) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

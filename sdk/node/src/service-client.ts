import type { ContactFailure, Rejection } from './status.js';

const MAX_BODY_BYTES = 65_536;

/** The result of requesting a certificate; for a license with leases, a validation has none. */
export type Reply =
  | { readonly outcome: 'certificate'; readonly certificate: string }
  | { readonly outcome: 'leased' }
  | { readonly outcome: 'rejected'; readonly rejection: Rejection; readonly machines?: Machines }
  | Failure;

/** The result of requesting a certificate together with a place for this machine. */
export type PlaceReply = Exclude<Reply, { outcome: 'leased' }>;

/** Places of a license. */
interface Machines {
  readonly used: number;
  readonly max: number;
}

export interface Failure {
  readonly outcome: 'failed';
  readonly reason: ContactFailure;
  /** The code of a rejected request: one of the SDK, or the service's own. */
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

/** Codes of rejected requests that the SDK has names for. */
const KNOWN_CODES = new Map<unknown, Failure>([
  ['LICENSE_NOT_FOUND', failure('unknown_key')],
  ['LICENSE_REVOKED', failure('request_rejected', { code: 'revoked' })],
  ['LICENSE_EXPIRED', failure('request_rejected', { code: 'expired' })],
  ['LICENSE_ON_ANOTHER_MACHINE', failure('request_rejected', { code: 'other_machine' })],
]);

const LIMIT_REACHED = failure('request_rejected', { code: 'MACHINE_LIMIT_REACHED' });

/** The license and the machine of a request. */
export interface Sender {
  readonly key: string;
  readonly fingerprint: string;
}

interface ClientSettings {
  readonly service: string;
  readonly product: string;
  readonly machineName: string | undefined;
  /** Of a request in milliseconds, until the last byte of its response. */
  readonly timeout: number;
}

/** Requests certificates and releases. Rejections, unusable responses and network errors are results, not exceptions. */
export class ServiceClient {
  constructor(private readonly settings: ClientSettings) {}

  /** Validates the license, and activates it only if it is pending, as after the restore of a backup. */
  async refresh(sender: Sender): Promise<Reply> {
    const validation = await this.validate(sender);
    return validation === 'pending' ? this.takePlace('activate', sender) : validation;
  }

  /** Validates the license, and activates it only if it has a free place: activations have the lower rate limit. */
  async activate(sender: Sender): Promise<PlaceReply> {
    const validation = await this.validate(sender);
    if (validation === 'pending') return this.takePlace('activate', sender);
    if (validation.outcome === 'leased') return this.heartbeat(sender);
    if (validation.outcome !== 'rejected') return validation;
    const { rejection, machines } = validation;
    const hasFreePlace = machines && machines.used < machines.max;
    if (rejection === 'lease_ended' || hasFreePlace) return this.takePlace('activate', sender);
    return machines ? LIMIT_REACHED : validation;
  }

  heartbeat(sender: Sender): Promise<PlaceReply> {
    return this.takePlace('heartbeat', sender);
  }

  release(sender: Sender): Promise<{ readonly outcome: 'released' } | Failure> {
    return this.post('/validate/release', sender, readRelease);
  }

  private validate(sender: Sender): Promise<Reply | 'pending'> {
    return this.post('/validate', { ...sender, certificate: true }, readValidation);
  }

  private takePlace(route: 'activate' | 'heartbeat', sender: Sender): Promise<PlaceReply> {
    const { machineName } = this.settings;
    const body = {
      ...sender,
      certificate: true,
      ...(machineName !== undefined && { machineName }),
    };
    return this.post(`/validate/${route}`, body, readPlace);
  }

  private async post<Interpreted>(
    route: string,
    members: object,
    interpret: (body: Record<string, unknown>) => Interpreted,
  ): Promise<Interpreted | Failure> {
    try {
      const response = await fetch(this.settings.service + route, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ ...members, product: this.settings.product }),
        redirect: 'manual',
        signal: AbortSignal.timeout(this.settings.timeout),
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

function readValidation(body: Record<string, unknown>): Reply | 'pending' {
  const { status, certificate, leaseEndsAt } = body;
  if (status === 'active') {
    const isLeased = typeof leaseEndsAt === 'string' && (certificate ?? null) === null;
    return isLeased ? { outcome: 'leased' } : certificateReply(certificate);
  }
  const machines = status === 'machine_mismatch' && readMachines(body.machines);
  if (machines) return { outcome: 'rejected', rejection: 'other_machine', machines };
  return VALIDATIONS.get(status) ?? failure('not_the_service');
}

function readMachines(value: unknown): Machines | undefined {
  const { used, max } = Object(value) as Record<string, unknown>;
  return isCount(used) && isCount(max) ? { used, max } : undefined;
}

function readPlace({ success, certificate }: Record<string, unknown>): PlaceReply {
  return success === true ? certificateReply(certificate) : failure('not_the_service');
}

function readRelease({ success }: Record<string, unknown>): { outcome: 'released' } | Failure {
  return success === true ? { outcome: 'released' } : failure('not_the_service');
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function failure(reason: ContactFailure, details: Partial<Failure> = {}): Failure {
  return { outcome: 'failed', reason, ...details };
}

function certificateReply(certificate: unknown): PlaceReply {
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
    KNOWN_CODES.get(code) ??
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

import { randomBytes } from 'node:crypto';
import { isCount, isObject, isText, parseJson } from './json.js';
import type { ContactFailure, Rejection } from './status.js';
import { type Exchange, type Fetch, isDecidedByBody, post, reasonOf } from './transport.js';

/** The result of requesting a certificate. For a license with leases, a validation has none. */
export type Reply =
  | { readonly outcome: 'certificate'; readonly certificate: string }
  | { readonly outcome: 'leased' }
  | Rejected
  | Failure;

/** The result of requesting a certificate together with a seat for this machine. */
export type SeatReply = Exclude<Reply, { outcome: 'leased' }>;

/** The service says that the license must not be used on this machine. */
export interface Rejected {
  readonly outcome: 'rejected';
  readonly rejection: Rejection;
  readonly proof: Proof;
  readonly machines?: Machines | undefined;
  /** The service's code for a rejected request, unless the SDK has its own code for it. */
  readonly code?: string;
  readonly message?: string;
}

export interface Proof {
  /** The signed statement, not verified yet. */
  readonly text: unknown;
  /** The nonce that the request sent. */
  readonly nonce: string;
}

/** The seats of a license. */
interface Machines {
  readonly used: number;
  readonly max: number;
}

export interface Failure {
  readonly outcome: 'failed';
  readonly reason: ContactFailure;
  /** The code of a rejected request: one of the SDK's, or the service's own. */
  readonly code?: string;
  /** The service's message, for people. */
  readonly message?: string;
  /** Seconds to wait before the next request, from Retry-After. */
  readonly retryAfter?: number | undefined;
  /** The network error. */
  readonly cause?: unknown;
}

const REJECTIONS = new Map<unknown, Rejection>([
  ['revoked', 'revoked'],
  ['expired', 'expired'],
  ['machine_mismatch', 'other_machine'],
  ['suspended', 'suspended'],
  ['lease_ended', 'lease_ended'],
]);

/** Codes of rejected requests that stop the license. */
const REJECTION_CODES = new Map<unknown, Rejection>([
  ['LICENSE_REVOKED', 'revoked'],
  ['LICENSE_EXPIRED', 'expired'],
  ['LICENSE_ON_ANOTHER_MACHINE', 'other_machine'],
  ['LICENSE_SUSPENDED', 'suspended'],
]);

const LIMIT_REACHED = failure('request_rejected', { code: 'MACHINE_LIMIT_REACHED' });

/** The license and machine in a request. */
export interface Sender {
  readonly key: string;
  readonly fingerprint: string;
}

interface ClientSettings {
  readonly service: string;
  readonly product: string;
  readonly machineName: string | undefined;
  /** Timeout of a request in milliseconds, up to the last byte of the response. */
  readonly timeout: number;
  readonly fetch: Fetch;
}

type Body = Record<string, unknown>;

/** Requests certificates and releases. Rejections, unusable responses and network errors are results, not exceptions. */
export class ServiceClient {
  constructor(private readonly settings: ClientSettings) {}

  /** Validates the license. Activates it only if it is pending, such as after a backup was restored. */
  async refresh(sender: Sender): Promise<Reply> {
    const validation = await this.validate(sender);
    return validation === 'pending' ? this.takeSeat('activate', sender) : validation;
  }

  /** Validates the license. Activates it only if it has a free seat, because activations have a lower rate limit. */
  async activate(sender: Sender): Promise<SeatReply> {
    const validation = await this.validate(sender);
    if (validation === 'pending') return this.takeSeat('activate', sender);
    if (validation.outcome === 'leased') return this.heartbeat(sender);
    if (validation.outcome !== 'rejected') return validation;
    const { rejection, machines } = validation;
    const hasFreeSeat = machines && machines.used < machines.max;
    if (rejection === 'lease_ended' || hasFreeSeat) return this.takeSeat('activate', sender);
    return machines ? LIMIT_REACHED : validation;
  }

  heartbeat(sender: Sender): Promise<SeatReply> {
    return this.takeSeat('heartbeat', sender);
  }

  release(sender: Sender): Promise<{ readonly outcome: 'released' } | Rejected | Failure> {
    return this.post('release', sender, undefined, ({ success }) =>
      success === true ? { outcome: 'released' } : failure('not_the_service'),
    );
  }

  private validate(sender: Sender): Promise<Reply | 'pending'> {
    return this.request('', sender, readValidation);
  }

  private takeSeat(route: 'activate' | 'heartbeat', sender: Sender): Promise<SeatReply> {
    const { machineName } = this.settings;
    const named = { ...sender, ...(machineName !== undefined && { machineName }) };
    return this.request(route, named, ({ success, certificate }) =>
      success === true ? certificateReply(certificate) : failure('not_the_service'),
    );
  }

  /** Requests a certificate, with a new nonce. */
  private request<Interpreted>(
    route: string,
    members: object,
    interpret: (body: Body, nonce: string) => Interpreted,
  ) {
    const nonce = randomBytes(16).toString('base64url');
    const content = { ...members, certificate: true, nonce };
    return this.post(route, content, nonce, (body) => interpret(body, nonce));
  }

  private async post<Interpreted>(
    route: string,
    members: object,
    nonce: string | undefined,
    interpret: (body: Body) => Interpreted,
  ): Promise<Interpreted | Rejected | Failure> {
    const { service, product, timeout, fetch } = this.settings;
    const url = `${service}/validate${route && `/${route}`}`;
    try {
      const exchange = await post(fetch, url, { ...members, product }, timeout);
      const failed = failureByStatus(exchange);
      if (failed) return failed;
      const body = parseJson(exchange.body);
      if (!isObject(body)) return failure('not_the_service');
      return exchange.status === 200 ? interpret(body) : rejectedRequest(body, nonce);
    } catch (cause) {
      return failure(reasonOf(cause), { cause });
    }
  }
}

function readValidation(body: Body, nonce: string): Reply | 'pending' {
  const { status, certificate, leaseEndsAt } = body;
  if (status === 'pending') return 'pending';
  if (status === 'active') {
    const isLeased = isText(leaseEndsAt) && (certificate ?? null) === null;
    return isLeased ? { outcome: 'leased' } : certificateReply(certificate);
  }
  const rejection = REJECTIONS.get(status);
  if (!rejection) return failure(status === 'invalid' ? 'unknown_key' : 'not_the_service');
  const machines = rejection === 'other_machine' ? readMachines(body.machines) : undefined;
  const proof = { text: body.rejection, nonce };
  return { outcome: 'rejected', rejection, proof, machines };
}

function readMachines(value: unknown): Machines | undefined {
  const { used, max } = Object(value) as Body;
  return isCount(used) && isCount(max) ? { used, max } : undefined;
}

function failure(reason: ContactFailure, details: Partial<Failure> = {}): Failure {
  return { outcome: 'failed', reason, ...details };
}

function certificateReply(certificate: unknown): SeatReply {
  if (certificate === undefined || certificate === null) return failure('no_certificate');
  if (!isText(certificate)) return failure('bad_certificate');
  return { outcome: 'certificate', certificate };
}

/** The failure, if the status alone decides. For a 200, and for a 4xx other than 407 and 429, the body decides. */
function failureByStatus({ status, retryAfter }: Exchange): Failure | undefined {
  if (isDecidedByBody(status)) return undefined;
  if (status === 429) return failure('rate_limited', { retryAfter });
  // 511: the network requires the user to log in.
  const isServerError = status >= 500 && status <= 599 && status !== 511;
  return isServerError ? failure('server_error', { retryAfter }) : failure('not_the_service');
}

function rejectedRequest({ code, message, rejection }: Body, nonce = ''): Rejected | Failure {
  if (code === 'LICENSE_NOT_FOUND') return failure('unknown_key');
  const details = { ...(isText(code) && { code }), ...(isText(message) && { message }) };
  const ended = REJECTION_CODES.get(code);
  if (!ended) return failure('request_rejected', details);
  const isOwn = ended !== 'suspended';
  const proof = { text: rejection, nonce };
  return { outcome: 'rejected', rejection: ended, proof, ...(!isOwn && details) };
}

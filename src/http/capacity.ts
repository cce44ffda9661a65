import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { addressOf } from './client-address.js';
import { rejectEarly } from './reject-early.js';
import { RejectionMetrics } from './rejection-metrics.js';
import type { WorkClassName } from './route-config.js';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { limitConnections } from '../shared/config/open-files.js';

/** Maximum number of unread responses per connection. */
export const MAX_PIPELINED = 8;

/** Calls back once the response has been sent or the caller has disconnected; immediately if that has already happened. */
export function onClosed(response: ServerResponse, work: () => void): void {
  if (response.req.socket.destroyed) work();
  else response.once('close', work);
}

/** Maximum number of connections accepted before requests are handled. */
const MAX_ACCEPTED = 64;

/**
 * Handles requests together, after one iteration of the event loop has read everything that arrived.
 * Capacity then counts them together (R8), callers that immediately send another request cannot prolong an
 * iteration, and a validation takes half the CPU time.
 *
 * An iteration accepts only one connection. While there are new connections, another iteration comes first.
 * Otherwise a connection would wait for one batch per connection before it (R10).
 */
export function batchRequests(server: Server): void {
  const [serve] = server.listeners('request') as RequestListener[];
  let waiting: [IncomingMessage, ServerResponse][] = [];
  let accepted = 0;
  let acceptedBefore = 0;
  server.on('connection', () => (accepted += 1));
  const handle = () => {
    if (accepted > acceptedBefore && accepted < MAX_ACCEPTED) {
      acceptedBefore = accepted;
      return void setImmediate(handle);
    }
    accepted = acceptedBefore = 0;
    const all = waiting;
    waiting = [];
    for (const [request, response] of all) serve!.call(server, request, response as never);
  };
  server.removeAllListeners('request').on('request', (request, response) => {
    if (waiting.push([request, response]) === 1) setImmediate(handle);
  });
}

/** Limits the memory of connections: their number, and the unread responses of each. */
@Injectable()
export class Connections {
  /** The unread responses of each open connection. */
  private readonly open = new Map<Socket, Set<ServerResponse>>();
  private isClosing = false;

  constructor(
    private readonly config: Config,
    private readonly metrics: RejectionMetrics,
  ) {}

  /** Enforces MAX_CONNECTIONS (or fewer, if the open file limit is lower) and {@link MAX_PIPELINED} unread responses per connection. */
  register(fastify: FastifyInstance): void {
    const { server } = fastify;
    server.maxConnections = limitConnections(this.config.maxConnections).maxConnections;
    server.on('drop', () => this.metrics.countConnection());
    server.on('connection', (socket: Socket) => {
      // Reading it now makes Node cache it for the limits and the log, which may need it after the socket has closed.
      if (socket.remoteAddress === undefined) return void socket.destroy();
      this.open.set(socket, new Set());
      socket.once('close', () => this.forget(socket));
    });
    fastify.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
      const unread = this.open.get(socket);
      // The caller has disconnected.
      if (!unread) return;
      unread.add(response);
      onClosed(response, () => unread.delete(response));
      if (unread.size > MAX_PIPELINED) socket.destroy();
      // Drops pipelined requests that were read together, because nobody waits for their responses.
      if (!socket.destroyed) done();
    });
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.isClosing) reply.header('Connection', 'close');
      done();
    });
  }

  /** From now on, every response closes its connection. */
  closeAfterResponses(): void {
    this.isClosing = true;
  }

  get sockets(): Socket[] {
    return [...this.open.keys()];
  }

  private forget(socket: Socket): void {
    const unread = this.open.get(socket)!;
    this.open.delete(socket);
    // Node emits `close` only on the response being sent.
    for (const response of unread) if (!response.socket) response.emit('close');
  }
}

/** Maximum number of requests in progress. */
interface Bounds {
  readonly all: number;
  readonly ofAddress: number;
  readonly ofAccount: number;
}

type BoundsOfClasses = Readonly<Record<WorkClassName, Bounds | undefined>>;

/**
 * No address or account can hold more than a quarter of a class. A request waits for at most as many other
 * requests as there are slots.
 */
export const BOUNDS: BoundsOfClasses = {
  licenseChecks: { all: 512, ofAddress: 128, ofAccount: 128 },
  // The hashes of these requests wait in a shorter queue. Until then, nobody knows whose password it is.
  passwords: { all: 32, ofAddress: 4, ofAccount: 4 },
  webhookUrls: { all: 64, ofAddress: 8, ofAccount: 4 },
  // Up to 1 MiB each, held while the body arrives.
  imports: { all: 4, ofAddress: 1, ofAccount: 1 },
  portal: { all: 64, ofAddress: 16, ofAccount: 16 },
  other: { all: 128, ofAddress: 32, ofAccount: 32 },
  healthChecks: undefined,
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The slots of {@link Capacity} that the request holds; undefined until its body has arrived. */
    slots: string[] | undefined;
  }
}

/** Limits the requests in progress per class of work, and within a class per address and account. */
export class Capacity {
  private readonly inProgress = new Map<string, number>();

  constructor(private readonly bounds = BOUNDS) {}

  /** The number of classes, addresses and accounts with requests in progress. */
  get size(): number {
    return this.inProgress.size;
  }

  /**
   * Adds the hook. A request holds its slots from the arrival of its body until its response has been read,
   * so slow senders hold none.
   */
  register(fastify: FastifyInstance, metrics: RejectionMetrics, { corsOrigins }: Config): void {
    fastify.decorateRequest('slots', undefined);
    fastify.decorateRequest('isRejected', false);
    fastify.addHook('onRequest', (request, reply, done) => {
      const isHeld = request.raw.complete || request.routeOptions.config.workClass === 'imports';
      const rejection = isHeld ? this.admit(request) : undefined;
      if (!rejection) return done();
      metrics.count(rejection, request.routeOptions.config.workClass);
      rejectEarly(request, reply, rejection, corsOrigins);
    });
    // The body arrived later. A missing file runs the hooks again.
    fastify.addHook('preHandler', (request, _reply, done) => {
      done(request.slots ? undefined : this.admit(request));
    });
    // Every request ends with a response, even after the caller has disconnected.
    fastify.addHook('onSend', ({ slots }, { raw }, _payload, done) => {
      const taken = slots?.splice(0) ?? [];
      if (taken.length > 0) onClosed(raw, () => this.release(taken));
      done();
    });
  }

  /** @throws DomainError TOO_MANY_CONCURRENT_REQUESTS if the account has too many requests in progress */
  admitAccount(request: FastifyRequest, account: string): void {
    const { workClass, bounds } = this.classOf(request);
    const slot = `${workClass} ${account}`;
    if (!bounds || request.slots!.includes(slot)) return;
    if (this.take(request, slot, bounds.ofAccount)) return;
    throw this.releaseAndReject(request, OF_ACCOUNT);
  }

  /** Takes a slot, if one is free. */
  take({ slots }: Pick<FastifyRequest, 'slots'>, slot: string, most: number): boolean {
    const count = this.inProgress.get(slot) ?? 0;
    if (count >= most) return false;
    this.inProgress.set(slot, count + 1);
    slots!.push(slot);
    return true;
  }

  private admit(request: FastifyRequest): DomainError | undefined {
    const { workClass, bounds } = this.classOf(request);
    request.slots = [];
    if (!bounds) return undefined;
    if (!this.take(request, workClass, bounds.all))
      return this.releaseAndReject(request, OVERLOADED);
    const slot = `${workClass} ${addressOf(request)}`;
    if (!this.take(request, slot, bounds.ofAddress))
      return this.releaseAndReject(request, OF_ADDRESS);
    // Before the caller is known, because requests that are read together would fill the class together.
    const { authorization } = request.headers;
    if (authorization && !this.take(request, `${workClass} ${authorization}`, bounds.ofAccount))
      return this.releaseAndReject(request, OF_ACCOUNT);
    return workClass === 'portal' ? this.admitPortal(request, bounds) : undefined;
  }

  /** The customers of one vendor must not take the capacity of other portals. */
  private admitPortal(request: FastifyRequest, { ofAccount }: Bounds): DomainError | undefined {
    const { issuer } = request.params as { readonly issuer: string };
    const isFree = this.take(request, `portal ${issuer.toLowerCase()}`, ofAccount);
    return isFree ? undefined : this.releaseAndReject(request, OF_ACCOUNT);
  }

  private classOf({ routeOptions }: FastifyRequest) {
    const { workClass = 'other' } = routeOptions.config;
    return { workClass, bounds: this.bounds[workClass] };
  }

  /** A rejected request holds no slot. */
  private releaseAndReject({ slots }: FastifyRequest, rejection: DomainError): DomainError {
    this.release(slots!.splice(0));
    return rejection;
  }

  private release(slots: readonly string[]): void {
    for (const slot of slots) {
      const count = this.inProgress.get(slot)! - 1;
      if (count > 0) this.inProgress.set(slot, count);
      else this.inProgress.delete(slot);
    }
  }
}

const tooMany = (rejectedBy: 'address' | 'account') =>
  new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { rejectedBy });

// Created once, because the stack trace of an error takes 20 µs.
export const OVERLOADED = new DomainError('OVERLOADED', {}, { rejectedBy: 'capacity' });
const OF_ADDRESS = tooMany('address');
const OF_ACCOUNT = tooMany('account');

import { Injectable } from '@nestjs/common';
import { PasswordResets } from '../auth/passwords/password-resets.service.js';
import { Job } from '../jobs/job.js';
import { PortalLogins } from '../portal/portal-logins.service.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, remove } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { LINK_REQUESTS, type LinkRequest, type RequestedKind } from './link-request.js';

const OLDEST_FIRST = { by: 'createdAt', direction: 'asc' } as const;
/** Maximum number of requests per step. */
const STEP_SIZE = 20;

/** Mails the requested links. The commit that does so also removes the request, so of several instances one does. */
@Injectable()
export class LinkRequests extends Job {
  private readonly changesFor: Readonly<
    Record<RequestedKind, (request: LinkRequest) => Promise<Change[]>>
  >;

  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
    passwordResets: PasswordResets,
    portalLogins: PortalLogins,
  ) {
    super({ interval: 1_000, pause: 1 });
    this.changesFor = {
      password_reset: (request) => passwordResets.changesFor(request),
      portal: (request) => portalLogins.changesFor(request),
    };
  }

  async step(): Promise<boolean> {
    const slice = { limit: STEP_SIZE };
    const requests = await this.store.list(LINK_REQUESTS, {}, OLDEST_FIRST, slice);
    for (const request of requests) await this.process(request);
    return requests.length === STEP_SIZE;
  }

  private async process(request: LinkRequest): Promise<void> {
    const isExpired = request.expiresAt <= this.clock.now();
    const changes = isExpired ? [] : await this.changesFor[request.kind](request);
    // If another instance was faster, or the login has changed since, nothing happens here.
    await this.decisions.commit([remove(LINK_REQUESTS, request), ...changes]);
  }
}

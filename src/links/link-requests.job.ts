import { Injectable } from '@nestjs/common';
import { PasswordResets } from '../auth/passwords/password-resets.service.js';
import { Job } from '../jobs/job.js';
import { PortalLogins } from '../portal/portal-logins.service.js';
import { OLDEST_FIRST } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, remove, removeAll } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { LINK_REQUESTS, type LinkRequest, type RequestedKind } from './link-request.js';

/** Maximum number of requests per step. */
const STEP_SIZE = 20;

/** Mails the requested links. The same commit removes the request, so only one instance sends the mail. */
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
    const done: string[] = [];
    for (const request of requests) {
      const changes = await this.changesOf(request);
      if (changes.length === 0) done.push(request._id);
      // If another instance was faster, or the login has changed since, nothing happens here.
      else await this.decisions.commit([remove(LINK_REQUESTS, request), ...changes]);
    }
    // In one commit, because strangers can send thousands of requests.
    if (done.length > 0) {
      await this.decisions.commit([removeAll(LINK_REQUESTS, { _id: { oneOf: done } })]);
    }
    return requests.length === STEP_SIZE;
  }

  private async changesOf(request: LinkRequest): Promise<Change[]> {
    if (request.expiresAt <= this.clock.now()) return [];
    return this.changesFor[request.kind](request);
  }
}

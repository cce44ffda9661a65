import { USERS } from './auth/accounts/user.js';
import { API_KEYS } from './auth/api-keys/api-key.js';
import { CHALLENGES, SPENT_CHALLENGES } from './auth/factors/challenge.js';
import { INVITATIONS } from './auth/members/member.js';
import { LOGIN_ADDRESSES, SESSIONS } from './auth/sessions/session.js';
import { SIGNING_KEYS } from './certificates/signing-keys/signing-keys.js';
import { BINNED } from './bin/binned.js';
import { CLIENTS } from './clients/client.js';
import { ERASURES } from './clients/erasure.js';
import { MAIL_TEMPLATES } from './customer-mail/mail-template.js';
import { EVENTS } from './events/event.js';
import { LICENSES } from './licenses/license.js';
import { LINK_REQUESTS } from './links/link-request.js';
import { LINKS } from './links/link.js';
import { MACHINE_KEYS } from './machines/machine-key.js';
import { MACHINES } from './machines/machine.js';
import { TRIALS } from './machines/trial.js';
import { MAILS } from './mail/mail.js';
import { PLANS } from './plans/plan.js';
import { PROJECT_TASKS } from './projects/project-task.js';
import { PROJECTS } from './projects/project.js';
import { PORTALS } from './portal/portal.js';
import { PORTAL_SESSIONS } from './portal/portal-session.js';
import { IDEMPOTENCY_RECORDS } from './shared/idempotency/idempotency-record.js';
import { TOTALS } from './shared/quotas/account-totals.js';
import { DEPLOYMENT } from './shared/sealing/deployment.js';
import { DELIVERIES, FAN_OUTS, MESSAGES } from './webhooks/delivery.js';
import { WEBHOOKS } from './webhooks/webhook.js';
import type { AnyCollection } from './storage/collection.js';

/**
 * Every kind of record, in the order in which a store is copied and an account is deleted. An account's own
 * record is the last of its records, so an interrupted deletion can be repeated.
 */
export const COLLECTIONS: readonly AnyCollection[] = [
  DEPLOYMENT,
  SESSIONS,
  LOGIN_ADDRESSES,
  CHALLENGES,
  SPENT_CHALLENGES,
  INVITATIONS,
  LINKS,
  LINK_REQUESTS,
  MAILS,
  API_KEYS,
  SIGNING_KEYS,
  CLIENTS,
  ERASURES,
  PORTALS,
  PORTAL_SESSIONS,
  PLANS,
  MACHINE_KEYS,
  PROJECTS,
  PROJECT_TASKS,
  LICENSES,
  MACHINES,
  BINNED,
  EVENTS,
  WEBHOOKS,
  MESSAGES,
  FAN_OUTS,
  DELIVERIES,
  MAIL_TEMPLATES,
  TRIALS,
  IDEMPOTENCY_RECORDS,
  TOTALS,
  USERS,
];

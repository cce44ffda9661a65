import type { Webhook } from '../api/types.js';
import { Time } from '../shared/time.js';
import { Muted } from '../shared/ui/muted.js';
import { disabledReasons, webhooks as names, webhookStatus } from './webhook-texts.js';
import { Badge } from '../shared/badge.js';
import { isFailing } from './webhook-queries.js';

/** Whether a webhook is enabled, why not, and how long it has been failing. */
export function WebhookStatus({ webhook }: { readonly webhook: Webhook }) {
  const { status, disabledReason, failingSince } = webhook;
  return (
    <span>
      <Badge look={lookOf(webhook)}>
        {isFailing(webhook) ? names.failing : webhookStatus[status]}
      </Badge>
      {disabledReason && <Muted isInline> {disabledReasons[disabledReason]}.</Muted>}
      {failingSince !== null && (
        <Muted isInline>
          {' '}
          {isFailing(webhook) ? names.since : names.failingSince} <Time at={failingSince} />
        </Muted>
      )}
    </span>
  );
}

function lookOf({ status, failingSince }: Webhook) {
  if (status === 'disabled') return 'revoked';
  return failingSince === null ? 'active' : 'expired';
}

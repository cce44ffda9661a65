import type { Webhook } from '../api/types.js';
import { Time } from '../shared/time.js';
import { disabledReasons, webhooks as names, webhookStatus } from './webhook-texts.js';
import { Badge } from '../shared/badge.js';

/** Whether events are sent to a webhook; if not, why, and since when its attempts fail. */
export function WebhookStatus({ webhook }: { readonly webhook: Webhook }) {
  const { status, disabledReason, failingSince } = webhook;
  return (
    <span>
      <Badge look={lookOf(webhook)}>{webhookStatus[status]}</Badge>
      {disabledReason && <span className="muted"> {disabledReasons[disabledReason]}</span>}
      {failingSince !== null && (
        <span className="muted">
          {' '}
          {names.failingSince} <Time at={failingSince} />
        </span>
      )}
    </span>
  );
}

function lookOf({ status, failingSince }: Webhook) {
  if (status === 'disabled') return 'revoked';
  return failingSince === null ? 'active' : 'expired';
}

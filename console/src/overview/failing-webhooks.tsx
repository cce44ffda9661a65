import { Link } from '@tanstack/react-router';
import type { ListedWebhook } from '../api/types.js';
import { Panel } from '../shared/ui/panel.js';
import { nameOf } from '../webhooks/webhook-name.js';
import { WebhookStatus } from '../webhooks/webhook-status.js';
import styles from './failing-webhooks.module.css';
import { failingWebhooks as names } from './overview-texts.js';

/** Whether deliveries fail, or failed until the service disabled the webhook. */
export const isFailing = ({ failingSince, disabledReason }: ListedWebhook): boolean =>
  failingSince !== null && disabledReason !== 'request';

/** Links to the webhooks whose deliveries have to be sent again. */
export const FailingWebhooks = ({ webhooks }: { readonly webhooks: readonly ListedWebhook[] }) => (
  <Panel label={names.title}>
    <h2>{names.title}</h2>
    <ul className={styles.webhooks}>
      {webhooks.map((webhook) => (
        <li key={webhook._id}>
          <Link to="/account/webhooks/$id" params={{ id: webhook._id }}>
            {nameOf(webhook)}
          </Link>
          <WebhookStatus webhook={webhook} />
        </li>
      ))}
    </ul>
  </Panel>
);

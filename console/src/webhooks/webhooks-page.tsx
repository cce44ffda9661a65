import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ListedWebhook } from '../api/types.js';
import { type Column, DataTable, ROW_LINK } from '../shared/data-table.js';
import { Empty } from '../shared/empty.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { Muted } from '../shared/ui/muted.js';
import { NewWebhook } from './new-webhook.js';
import { Undelivered } from './undelivered.js';
import { nameOfType } from './type-name.js';
import { isFailing, webhooksQuery } from './webhook-queries.js';
import { WebhookStatus } from './webhook-status.js';
import { webhooks as names } from './webhook-texts.js';

const COLUMNS: readonly Column<ListedWebhook>[] = [
  {
    name: names.url,
    cell: ({ _id, url, description }) => (
      <>
        <Link to="/account/webhooks/$id" params={{ id: _id }} className={ROW_LINK}>
          {url}
        </Link>{' '}
        <Muted isInline>{description}</Muted>
      </>
    ),
    card: 'head',
  },
  { name: names.types, cell: ({ types }) => types.map(nameOfType).join(', ') },
  { name: names.status, cell: (webhook) => <WebhookStatus webhook={webhook} />, card: 'plain' },
  {
    name: names.delivered,
    cell: ({ recentDeliveries: { attempted, delivered } }) =>
      attempted === 0 ? texts.none : names.rate(delivered, attempted),
    isShort: true,
  },
  {
    name: names.created,
    cell: ({ createdAt }) => <Time at={createdAt} withTime={false} />,
    isShort: true,
    visibility: 'wide',
  },
];

/** How many failing webhooks show their deliveries. */
const MOST_FAILING = 3;

/** The webhooks of the account. */
export function WebhooksPage() {
  const webhooks = useQuery(webhooksQuery);
  return (
    <Page title={names.title} actions={<NewWebhook />}>
      <p>{names.details}</p>
      <Loaded query={webhooks}>
        {(rows) =>
          rows.length > 0 ? (
            <>
              <DataTable caption={names.title} columns={COLUMNS} rows={rows} />
              {rows
                .filter(isFailing)
                .slice(0, MOST_FAILING)
                .map((webhook) => (
                  <Undelivered key={webhook._id} webhook={webhook} />
                ))}
            </>
          ) : (
            <Empty title={names.none} details={names.noneDetails} />
          )
        }
      </Loaded>
    </Page>
  );
}

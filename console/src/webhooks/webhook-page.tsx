import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { rowsOf } from '../api/pages.js';
import { pollEvery } from '../api/query-client.js';
import type { Webhook } from '../api/types.js';
import { Breadcrumbs } from '../shared/breadcrumbs.js';
import { Empty } from '../shared/empty.js';
import { Fact, Facts } from '../shared/facts.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { ShowMore } from '../shared/show-more.js';
import { Time } from '../shared/time.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel } from '../shared/ui/panel.js';
import { Stack } from '../shared/ui/stack.js';
import { DeleteWebhook, EditWebhook, SwitchWebhook } from './change-webhook.js';
import { DeliveryTable } from './delivery-table.js';
import { RotateSecret } from './rotate-secret.js';
import { SendTest } from './send-test.js';
import { nameOfType } from './type-name.js';
import { deliveriesQuery, webhookQuery } from './webhook-queries.js';
import { hostOf } from './webhook-name.js';
import { WebhookStatus } from './webhook-status.js';
import { deliveries as deliveryNames, webhooks as names } from './webhook-texts.js';

/** Milliseconds between refetches while a delivery is pending. */
const POLL = 5000;
/** The same while a test event has no delivery yet, which takes less than a second. */
const POLL_TEST = 1000;

/** A webhook and its deliveries. */
export function WebhookPage() {
  const { id } = useParams({ from: '/member/account/webhooks/$id' });
  return <PageOfWebhook key={id} id={id} />;
}

function PageOfWebhook({ id }: { readonly id: string }) {
  /** The last test event. */
  const [tested, setTested] = useState<string | null>(null);
  const deliveries = useInfiniteQuery({
    ...deliveriesQuery(id),
    refetchInterval: ({ state: { data } }) => {
      const rows = data ? rowsOf(data) : [];
      if (tested !== null && !rows.some(({ event }) => event === tested)) {
        return pollEvery(POLL_TEST);
      }
      return pollEvery(rows.some(({ status }) => status === 'pending') && POLL);
    },
  });
  const rows = deliveries.data && rowsOf(deliveries.data);
  const webhook = useQuery(webhookQuery(id));
  const { refetch } = webhook;
  // A delivery may have disabled the webhook or ended its failures.
  useEffect(() => void refetch(), [deliveries.dataUpdatedAt, refetch]);
  const title = webhook.data ? nameOf(webhook.data) : names.webhook;
  return (
    <Page
      title={title}
      trail={<Trail id={id} name={title} />}
      actions={webhook.data && <WebhookActions webhook={webhook.data} onTest={setTested} />}
    >
      <Loaded query={webhook}>
        {(data) => (
          <>
            <WebhookFacts webhook={data} />
            <Stack isTight>
              <h2>{deliveryNames.title}</h2>
              <Muted>
                {deliveryNames.details} {data.status === 'disabled' && deliveryNames.whileDisabled}
              </Muted>
            </Stack>
            <Loaded query={{ ...deliveries, data: rows }}>
              {(shown) =>
                shown.length > 0 ? (
                  <DeliveryTable webhook={data} rows={shown} />
                ) : (
                  <Empty title={deliveryNames.none} />
                )
              }
            </Loaded>
            <ShowMore query={deliveries} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const nameOf = ({ url, description }: Webhook) => description ?? hostOf({ url });

const Trail = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <Breadcrumbs
    links={[
      <Link to="/account/webhooks" activeOptions={{ exact: true }}>
        {names.title}
      </Link>,
      <Link to="/account/webhooks/$id" params={{ id }} aria-current="page">
        {name}
      </Link>,
    ]}
  />
);

interface Props {
  readonly webhook: Webhook;
}

const WebhookActions = ({ webhook, onTest }: Props & { onTest: (event: string) => void }) => (
  <>
    {webhook.status === 'enabled' && <SendTest id={webhook._id} onSent={onTest} />}
    <EditWebhook webhook={webhook} />
    <SwitchWebhook webhook={webhook} />
    <RotateSecret webhook={webhook} />
    <DeleteWebhook webhook={webhook} />
  </>
);

const WebhookFacts = ({ webhook }: Props) => (
  <Panel label={names.webhook}>
    <Facts>
      <Fact name={names.url}>{webhook.url}</Fact>
      <Fact name={names.types}>{webhook.types.map(nameOfType).join(', ')}</Fact>
      <Fact name={names.status}>
        <WebhookStatus webhook={webhook} />
      </Fact>
      <Fact name={names.created}>
        <Time at={webhook.createdAt} /> {names.by(webhook.createdBy.name)}
      </Fact>
      <Fact name={names.changed}>
        <Time at={webhook.updatedAt} />
      </Fact>
    </Facts>
  </Panel>
);

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { rowsOf } from '../api/pages.js';
import { pollEvery } from '../api/query-client.js';
import type { Delivery, Webhook } from '../api/types.js';
import { Breadcrumbs } from '../shared/breadcrumbs.js';
import { Empty } from '../shared/empty.js';
import { Fact, Facts } from '../shared/facts.js';
import { SelectField } from '../shared/fields.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { ShowMore } from '../shared/show-more.js';
import { Time } from '../shared/time.js';
import { FieldRow } from '../shared/ui/field-row.js';
import { Loading } from '../shared/ui/loading.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel } from '../shared/ui/panel.js';
import { Stack } from '../shared/ui/stack.js';
import { DeleteWebhook, EditWebhook, SwitchWebhook } from './change-webhook.js';
import { type DeliveryFilter, toDeliveryFilter } from './delivery-filter.js';
import { DeliveryTable } from './delivery-table.js';
import { RotateSecret } from './rotate-secret.js';
import { SendTest } from './send-test.js';
import { nameOfType } from './type-name.js';
import { deliveriesQuery, POLL_NEW, pollOf, webhookQuery } from './webhook-queries.js';
import { nameOf } from './webhook-name.js';
import { WebhookStatus } from './webhook-status.js';
import { deliveries as deliveryNames, deliveryStatus, webhooks as names } from './webhook-texts.js';

/** A webhook and its deliveries. */
export function WebhookPage() {
  const { id } = useParams({ from: '/member/account/webhooks/$id' });
  const { status } = useSearch({ from: '/member/account/webhooks/$id' });
  return <PageOfWebhook key={id} id={id} status={status} />;
}

interface PageProps extends DeliveryFilter {
  readonly id: string;
}

function PageOfWebhook({ id, status }: PageProps) {
  const navigate = useNavigate({ from: '/account/webhooks/$id' });
  /** The last test event. */
  const [tested, setTested] = useState<string | null>(null);
  const deliveries = useInfiniteQuery({
    ...deliveriesQuery(id, status),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      const rows = data ? rowsOf(data) : [];
      return isMissing(tested, rows) ? pollEvery(POLL_NEW) : pollOf(rows);
    },
  });
  const rows = deliveries.data && rowsOf(deliveries.data);
  const webhook = useQuery(webhookQuery(id));
  const { refetch } = webhook;
  // A delivery may have disabled the webhook or ended a series of failures.
  useEffect(() => void refetch(), [deliveries.dataUpdatedAt, refetch]);
  const test = (event: string) => {
    setTested(event);
    if (status !== undefined) void navigate({ search: {} });
  };
  const title = webhook.data ? nameOf(webhook.data) : names.webhook;
  return (
    <Page
      title={title}
      trail={<Trail id={id} name={title} />}
      actions={webhook.data && <WebhookActions webhook={webhook.data} onTest={test} />}
    >
      <Loaded query={webhook}>
        {(data) => (
          <>
            <WebhookFacts webhook={data} />
            <Stack isTight>
              <h2>{deliveryNames.title}</h2>
              <Muted>
                {deliveryNames.intro} {data.status === 'disabled' && deliveryNames.whileDisabled}
              </Muted>
            </Stack>
            <FieldRow>
              <SelectField
                label={names.status}
                name="status"
                value={status ?? ''}
                onChange={({ target }) =>
                  void navigate({ search: toDeliveryFilter({ status: target.value }) })
                }
              >
                <option value="">{deliveryNames.any}</option>
                {Object.entries(deliveryStatus).map(([value, label]) => (
                  <option key={value} value={value}>
                    {value === 'pending' ? deliveryNames.pendingOrRetrying : label}
                  </option>
                ))}
              </SelectField>
            </FieldRow>
            <Loaded query={{ ...deliveries, data: rows }}>
              {(shown) => {
                if (shown.length > 0) return <DeliveryTable webhook={data} rows={shown} />;
                if (isMissing(tested, shown)) return <Loading />;
                return <Empty title={status ? deliveryNames.notFound : deliveryNames.none} />;
              }}
            </Loaded>
            <ShowMore query={deliveries} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Whether a test event has no delivery yet. */
const isMissing = (tested: string | null, rows: readonly Delivery[]) =>
  tested !== null && !rows.some(({ event }) => event === tested);

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

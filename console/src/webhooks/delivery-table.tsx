import type { Delivery, Webhook } from '../api/types.js';
import { eventList } from '../events/event-list-texts.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { resultOf } from './delivery-result.js';
import { SendAgain } from './send-message.js';
import { deliveries as names, deliveryStatus, webhooks } from './webhook-texts.js';

/** The look of a status, of which the licenses have more. */
const COLOURS = { pending: 'pending', delivered: 'active', failed: 'revoked' } as const;

const COLUMNS: readonly Column<Delivery>[] = [
  { name: names.event, cell: ({ type }) => eventList.full(type) },
  {
    name: webhooks.status,
    cell: ({ status }) => (
      <span className={`status status-${COLOURS[status]}`}>{deliveryStatus[status]}</span>
    ),
  },
  { name: names.attempts, cell: ({ attempts }) => attempts },
  { name: names.lastAttempt, cell: ({ lastAttemptAt }) => timeOf(lastAttemptAt) },
  { name: names.result, cell: (delivery) => resultOf(delivery) ?? texts.none },
  { name: names.nextAttempt, cell: ({ nextAttemptAt }) => timeOf(nextAttemptAt) },
];

const timeOf = (at: string | null) => (at === null ? texts.none : <Time at={at} />);

interface Props {
  readonly webhook: Webhook;
  readonly rows: readonly Delivery[];
}

/** The deliveries of a webhook. Those that are over can be sent again, while it is enabled. */
export function DeliveryTable({ webhook: { _id: id, status }, rows }: Props) {
  const sendAgain: Column<Delivery> = {
    name: texts.overview.action,
    cell: (delivery) =>
      delivery.status !== 'pending' && (
        <div className="row-actions">
          <SendAgain id={id} delivery={delivery} />
        </div>
      ),
    operation: 'redeliver',
  };
  const columns = status === 'enabled' ? [...COLUMNS, sendAgain] : COLUMNS;
  return <DataTable caption={names.title} columns={columns} rows={rows} />;
}

import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Delivery, Webhook } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { fullNameOf } from '../events/event-texts.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { ErrorNote } from '../shared/error-note.js';
import { notify } from '../shared/notices.js';
import { Ago } from '../shared/time.js';
import { Waiting } from '../shared/waiting.js';
import { texts } from '../texts.js';
import { DeliveryDetails } from './delivery-details.js';
import { resultOf } from './delivery-result.js';
import { isNew } from './webhook-queries.js';
import { deliveries as names, deliveryStatus, webhooks } from './webhook-texts.js';
import { Badge } from '../shared/badge.js';

/** The license status whose look each mail status borrows. */
const LOOKS = { pending: 'pending', delivered: 'active', failed: 'revoked' } as const;

const COLUMNS: readonly Column<Delivery>[] = [
  { name: names.event, cell: ({ type }) => fullNameOf(type), card: 'head' },
  {
    name: webhooks.status,
    isShort: true,
    card: 'head',
    cell: (delivery) =>
      delivery.status === 'pending' && !isNew(delivery) ? (
        <Badge look="expired">{names.retrying}</Badge>
      ) : (
        <Badge look={LOOKS[delivery.status]}>{deliveryStatus[delivery.status]}</Badge>
      ),
  },
  { name: names.result, cell: (delivery) => resultOf(delivery) ?? texts.none, card: 'plain' },
  { name: names.attempts, cell: ({ attempts }) => attempts, isShort: true, visibility: 'wide' },
  { name: names.lastAttempt, cell: ({ lastAttemptAt }) => timeOf(lastAttemptAt), isShort: true },
  { name: names.nextAttempt, cell: ({ nextAttemptAt }) => timeOf(nextAttemptAt), isShort: true },
];

const timeOf = (at: string | null) => (at === null ? texts.none : <Ago at={at} />);

interface Props {
  readonly webhook: Webhook;
  readonly rows: readonly Delivery[];
}

/** The deliveries of a webhook. While the webhook is enabled, each delivery can be sent again immediately. */
export function DeliveryTable({ webhook: { _id: id, status }, rows }: Props) {
  const { submit, isPending, wait, cancel, error } = useWrite(
    (delivery: string, key) => {
      const params = { path: { id, delivery }, header: { 'Idempotency-Key': key } };
      return bodyOf(api.POST('/webhooks/{id}/deliveries/{delivery}/redeliver', { params }));
    },
    () => notify(names.againDone),
  );
  const details: Column<Delivery> = {
    name: names.details,
    isShort: true,
    card: 'plain',
    cell: (delivery) => <DeliveryDetails webhook={id} delivery={delivery} />,
    operation: 'getDelivery',
  };
  const all = [...COLUMNS, details];
  const columns = status === 'enabled' ? [...all, sendAgain(isPending, submit)] : all;
  return (
    <>
      <Waiting wait={wait} onStop={cancel} />
      {error && <ErrorNote error={error} />}
      <DataTable caption={names.title} columns={columns} rows={rows} />
    </>
  );
}

const sendAgain = (isPending: boolean, submit: (delivery: string) => void): Column<Delivery> => ({
  name: texts.overview.action,
  isShort: true,
  cell: (delivery) =>
    !isNew(delivery) && (
      <button
        type="button"
        aria-label={`${names.again} ${fullNameOf(delivery.type)}`}
        aria-disabled={isPending}
        onClick={() => {
          if (!isPending) submit(delivery._id);
        }}
      >
        {names.again}
      </button>
    ),
  operation: 'redeliver',
});

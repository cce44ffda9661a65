import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Delivery, Webhook } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { fullNameOf } from '../events/event-texts.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { ErrorNote } from '../shared/error-note.js';
import { notify } from '../shared/notices.js';
import { Time } from '../shared/time.js';
import { Muted } from '../shared/ui/muted.js';
import { Waiting } from '../shared/waiting.js';
import { texts } from '../texts.js';
import { resultOf } from './delivery-result.js';
import { deliveries as names, deliveryStatus, webhooks } from './webhook-texts.js';
import { Badge } from '../shared/badge.js';

/** The look of each status, borrowed from license statuses. */
const LOOKS = { pending: 'pending', delivered: 'active', failed: 'revoked' } as const;

const COLUMNS: readonly Column<Delivery>[] = [
  { name: names.event, cell: ({ type }) => fullNameOf(type) },
  {
    name: webhooks.status,
    width: 7.25,
    cell: ({ status, attempts }) => (
      <Badge look={LOOKS[status]}>
        {status === 'pending' && attempts > 0 ? names.retrying : deliveryStatus[status]}
      </Badge>
    ),
  },
  { name: names.attempts, cell: ({ attempts }) => attempts, width: 5.5 },
  { name: names.lastAttempt, cell: ({ lastAttemptAt }) => timeOf(lastAttemptAt), width: 10.25 },
  { name: names.result, cell: (delivery) => <Result delivery={delivery} /> },
];

/** The result of the last attempt, and the time of the next. */
const Result = ({ delivery }: { readonly delivery: Delivery }) => (
  <>
    {resultOf(delivery) ?? texts.none}
    {delivery.nextAttemptAt !== null && (
      <Muted isInline>
        {' '}
        {names.nextAttempt} <Time at={delivery.nextAttemptAt} />
      </Muted>
    )}
  </>
);

const timeOf = (at: string | null) => (at === null ? texts.none : <Time at={at} />);

interface Props {
  readonly webhook: Webhook;
  readonly rows: readonly Delivery[];
}

/** The deliveries of a webhook. While it is enabled, finished deliveries can be sent again. */
export function DeliveryTable({ webhook: { _id: id, status }, rows }: Props) {
  const { submit, isPending, wait, cancel, error } = useWrite(
    (delivery: string, key) => {
      const params = { path: { id, delivery }, header: { 'Idempotency-Key': key } };
      return bodyOf(api.POST('/webhooks/{id}/deliveries/{delivery}/redeliver', { params }));
    },
    () => notify(names.againDone),
  );
  const columns = status === 'enabled' ? [...COLUMNS, sendAgain(isPending, submit)] : COLUMNS;
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
  width: 7.25,
  cell: ({ _id, type, status }) =>
    status !== 'pending' && (
      <button
        type="button"
        aria-label={`${names.again} ${fullNameOf(type)}`}
        aria-disabled={isPending}
        onClick={() => {
          if (!isPending) submit(_id);
        }}
      >
        {names.again}
      </button>
    ),
  operation: 'redeliver',
});

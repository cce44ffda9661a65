import { useInfiniteQuery } from '@tanstack/react-query';
import { rowsOf } from '../api/pages.js';
import type { Webhook } from '../api/types.js';
import { Stack } from '../shared/ui/stack.js';
import { DeliveryTable } from './delivery-table.js';
import { nameOf } from './webhook-name.js';
import { deliveriesQuery } from './webhook-queries.js';
import { deliveries as names } from './webhook-texts.js';

const MOST_SHOWN = 3;

/** The latest deliveries that a failing webhook has not received, so that they can be sent again from the list. */
export function Undelivered({ webhook }: { readonly webhook: Webhook }) {
  const { data } = useInfiniteQuery(deliveriesQuery(webhook._id, undefined));
  const rows = data ? rowsOf(data).filter(({ status }) => status !== 'delivered') : [];
  if (rows.length === 0) return null;
  return (
    <Stack isTight>
      <h2>{names.undelivered(nameOf(webhook))}</h2>
      <DeliveryTable webhook={webhook} rows={rows.slice(0, MOST_SHOWN)} />
    </Stack>
  );
}

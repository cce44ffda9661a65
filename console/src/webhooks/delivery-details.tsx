import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Delivery } from '../api/types.js';
import { fullNameOf } from '../events/event-texts.js';
import { CloseAction } from '../shared/dialog.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Loaded } from '../shared/loaded.js';
import { Snippet } from '../shared/snippet.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { deliveries as names } from './webhook-texts.js';

interface Props {
  readonly webhook: string;
  readonly delivery: Delivery;
}

/** Shows the attempts of a delivery and the request they send. */
export const DeliveryDetails = ({ webhook, delivery: { _id, type } }: Props) => (
  <DialogButton
    operation="getDelivery"
    label={names.details}
    name={names.detailsOf(fullNameOf(type))}
    title={fullNameOf(type)}
  >
    {(close) => (
      <>
        <Details webhook={webhook} id={_id} />
        <CloseAction onClose={close} />
      </>
    )}
  </DialogButton>
);

function Details({ webhook, id }: { readonly webhook: string; readonly id: string }) {
  const details = useQuery({
    queryKey: ['webhooks', webhook, 'deliveries', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id: webhook, delivery: id } };
      return bodyOf(api.GET('/webhooks/{id}/deliveries/{delivery}', { params, signal }));
    },
  });
  return (
    <Loaded query={details}>
      {({ attemptLog, body }) => (
        <>
          <DeliveryAttempts attempts={attemptLog} />
          <Snippet
            title={names.request}
            details={names.requestDetails}
            copy={names.copyRequest}
            text={JSON.stringify(JSON.parse(body), null, 2)}
          />
        </>
      )}
    </Loaded>
  );
}

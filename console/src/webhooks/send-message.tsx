import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Delivery } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { notify } from '../shared/notices.js';
import { deliveries as names, webhooks } from './webhook-texts.js';
import { WriteButton } from './write-button.js';

interface TestProps {
  readonly id: string;
  /** Called with the id of the event. */
  readonly onSent: (event: string) => void;
}

/** Sends a test event to a webhook. */
export function SendTest({ id, onSent }: TestProps) {
  const test = useWrite(
    (_input: undefined, key) => {
      const params = { path: { id }, header: { 'Idempotency-Key': key } };
      return bodyOf(api.POST('/webhooks/{id}/test', { params }));
    },
    ({ event }) => {
      onSent(event);
      notify(webhooks.tested);
    },
  );
  return (
    <WriteButton
      label={webhooks.test}
      operation="testWebhook"
      write={test}
      onClick={() => test.submit(undefined)}
    />
  );
}

interface AgainProps {
  readonly id: string;
  readonly delivery: Delivery;
}

/** Sends a delivery again; its schedule begins anew. */
export function SendAgain({ id, delivery: { _id: delivery } }: AgainProps) {
  const redeliver = useWrite(
    (_input: undefined, key) => {
      const params = { path: { id, delivery }, header: { 'Idempotency-Key': key } };
      return bodyOf(api.POST('/webhooks/{id}/deliveries/{delivery}/redeliver', { params }));
    },
    () => notify(names.againDone),
  );
  return (
    <WriteButton
      label={names.again}
      operation="redeliver"
      write={redeliver}
      onClick={() => redeliver.submit(undefined)}
    />
  );
}

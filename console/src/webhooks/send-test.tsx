import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { useMay } from '../api/use-may.js';
import { useWrite } from '../api/use-write.js';
import { ErrorNote } from '../shared/error-note.js';
import { notify } from '../shared/notices.js';
import buttons from '../shared/ui/button.module.css';
import { Waiting } from '../shared/waiting.js';
import { webhooks as names } from './webhook-texts.js';

interface Props {
  readonly id: string;
  /** Called with the id of the event. */
  readonly onSent: (event: string) => void;
}

/** A button that sends a test event to a webhook. */
export function SendTest({ id, onSent }: Props) {
  const may = useMay();
  const { submit, isPending, wait, cancel, error } = useWrite(
    (_input: undefined, key) => {
      const params = { path: { id }, header: { 'Idempotency-Key': key } };
      return bodyOf(api.POST('/webhooks/{id}/test', { params }));
    },
    ({ event }) => {
      onSent(event);
      notify(names.tested);
    },
  );
  if (!may('testWebhook')) return null;
  const send = () => {
    if (!isPending) submit(undefined);
  };
  return (
    <>
      <button type="button" className={buttons.primary} aria-disabled={isPending} onClick={send}>
        {names.test}
      </button>
      <Waiting wait={wait} onStop={cancel} />
      {error && <ErrorNote error={error} />}
    </>
  );
}

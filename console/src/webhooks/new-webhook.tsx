import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { notify } from '../shared/notices.js';
import { ShowOnceButton } from '../shared/show-once-button.js';
import buttons from '../shared/ui/button.module.css';
import { texts } from '../texts.js';
import { type WebhookFields, WebhookForm } from './webhook-form.js';
import { webhooks as names } from './webhook-texts.js';

/** Creates a webhook, then shows its secret. */
export const NewWebhook = () => (
  <ShowOnceButton
    operation="createWebhook"
    label={names.new}
    title={names.new}
    className={buttons.primary}
    names={{ title: names.done, text: names.secret, copy: names.copySecret }}
  >
    {(show, close) => (
      <NewWebhookForm
        onDone={(text) => show({ text, details: names.secretDetails })}
        onClose={close}
      />
    )}
  </ShowOnceButton>
);

interface FormProps {
  readonly onDone: (secret: string) => void;
  readonly onClose: () => void;
}

function NewWebhookForm({ onDone, onClose }: FormProps) {
  const create = useWrite(
    (body: WebhookFields, key) =>
      bodyOf(api.POST('/webhooks', { params: { header: { 'Idempotency-Key': key } }, body })),
    ({ secret }) => {
      if (secret !== null) return onDone(secret);
      onClose();
      notify(names.secretLost);
    },
  );
  return (
    <WebhookForm write={create} submit={texts.create} onSubmit={create.submit} onCancel={onClose} />
  );
}

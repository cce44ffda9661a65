import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Webhook } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { Checkbox } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { ShowOnceButton } from '../shared/show-once-button.js';
import { nameOf } from './webhook-name.js';
import { webhooks as names } from './webhook-texts.js';

/** Rotates the secret of a webhook, then shows it. */
export const RotateSecret = ({ webhook }: { readonly webhook: Webhook }) => (
  <ShowOnceButton
    operation="rotateWebhookSecret"
    label={names.rotate}
    title={names.rotateTitle(nameOf(webhook))}
    names={{ title: names.rotated, text: names.secret, copy: names.copySecret }}
  >
    {(show, close) => (
      <RotateForm
        id={webhook._id}
        onDone={(text) => show({ text, details: names.secretDetails })}
        onClose={close}
      />
    )}
  </ShowOnceButton>
);

interface FormProps {
  readonly id: string;
  readonly onDone: (secret: string) => void;
  readonly onClose: () => void;
}

function RotateForm({ id, onDone, onClose }: FormProps) {
  const rotate = useWrite(
    (body: { expireOld?: true }, key) => {
      const params = { path: { id }, header: { 'Idempotency-Key': key } };
      return bodyOf(api.POST('/webhooks/{id}/rotate-secret', { params, body }));
    },
    ({ secret }) => {
      if (secret !== null) return onDone(secret);
      onClose();
      notify(names.secretLost);
    },
  );
  return (
    <Form
      write={rotate}
      submit={names.rotate}
      onCancel={onClose}
      isDangerous
      onSubmit={(fields) => rotate.submit(fields.has('expireOld') ? { expireOld: true } : {})}
    >
      <p>{names.rotateDetails}</p>
      <Checkbox label={names.expireOld} hint={names.expireOldHint} name="expireOld" />
    </Form>
  );
}

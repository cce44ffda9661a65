import { useNavigate } from '@tanstack/react-router';
import { unlessGone } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Webhook } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Form } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { texts } from '../texts.js';
import { type WebhookFields, WebhookForm } from './webhook-form.js';
import { webhooks as names } from './webhook-texts.js';

interface Props {
  readonly webhook: Webhook;
}

interface FormProps extends Props {
  readonly onClose: () => void;
}

/** Changes a webhook, and then closes the dialog. */
const useChange = ({ webhook, onClose }: FormProps) =>
  useWrite(
    (body: Partial<WebhookFields> & { status?: Webhook['status'] }) =>
      bodyOf(api.PATCH('/webhooks/{id}', { params: { path: { id: webhook._id } }, body })),
    ({ message }) => {
      onClose();
      notify(message);
    },
  );

export const EditWebhook = ({ webhook }: Props) => (
  <DialogButton operation="updateWebhook" label={names.edit} title={names.editTitle}>
    {(close) => <EditForm webhook={webhook} onClose={close} />}
  </DialogButton>
);

function EditForm({ webhook, onClose }: FormProps) {
  const change = useChange({ webhook, onClose });
  return (
    <WebhookForm
      webhook={webhook}
      write={change}
      submit={texts.save}
      onSubmit={change.submit}
      onCancel={onClose}
    />
  );
}

/** Disables a webhook, or enables it again. */
export function SwitchWebhook({ webhook }: Props) {
  const isEnabled = webhook.status === 'enabled';
  return (
    <DialogButton
      operation="updateWebhook"
      label={isEnabled ? names.disable : names.enable}
      title={isEnabled ? names.disableTitle : names.enableTitle}
    >
      {(close) => <SwitchForm webhook={webhook} onClose={close} />}
    </DialogButton>
  );
}

function SwitchForm({ webhook, onClose }: FormProps) {
  const change = useChange({ webhook, onClose });
  const isEnabled = webhook.status === 'enabled';
  return (
    <Form
      write={change}
      submit={isEnabled ? names.disable : names.enable}
      onCancel={onClose}
      onSubmit={() => change.submit({ status: isEnabled ? 'disabled' : 'enabled' })}
    >
      <p>{isEnabled ? names.disableDetails : names.enableDetails}</p>
    </Form>
  );
}

export const DeleteWebhook = ({ webhook }: Props) => (
  <DialogButton
    operation="deleteWebhook"
    label={names.delete}
    title={names.deleteTitle(new URL(webhook.url).host)}
    className="danger-quiet"
  >
    {(close) => <DeleteForm webhook={webhook} onClose={close} />}
  </DialogButton>
);

function DeleteForm({ webhook, onClose }: FormProps) {
  const navigate = useNavigate();
  const remove = useWrite(
    () => deleteWebhook(webhook._id),
    async () => {
      await navigate({ to: '/account/webhooks' });
      notify(names.deleted);
    },
  );
  return (
    <Form
      write={remove}
      submit={names.delete}
      onCancel={onClose}
      isDangerous
      onSubmit={() => remove.submit(undefined)}
    >
      <p>{names.deleteDetails}</p>
    </Form>
  );
}

const deleteWebhook = (id: string) =>
  unlessGone(bodyOf(api.DELETE('/webhooks/{id}', { params: { path: { id } } })));

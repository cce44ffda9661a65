import { useNavigate } from '@tanstack/react-router';
import { unlessGone } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Webhook } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { changesOf } from '../shared/changes.js';
import { ConfirmationButton } from '../shared/confirmation.js';
import { DialogButton } from '../shared/dialog-button.js';
import { notify } from '../shared/notices.js';
import { texts } from '../texts.js';
import { type WebhookFields, WebhookForm } from './webhook-form.js';
import { nameOf } from './webhook-name.js';
import { webhooks as names } from './webhook-texts.js';

interface Props {
  readonly webhook: Webhook;
}

type WebhookChange = Partial<WebhookFields> & { status?: Webhook['status'] };

export const EditWebhook = ({ webhook }: Props) => (
  <DialogButton
    operation="updateWebhook"
    label={names.edit}
    title={names.editTitle(nameOf(webhook))}
  >
    {(close) => <EditForm webhook={webhook} onClose={close} />}
  </DialogButton>
);

function EditForm({ webhook, onClose }: Props & { readonly onClose: () => void }) {
  const edit = useWrite(
    (fields: WebhookFields) => change(webhook, changesOf(fields, webhook)),
    ({ webhook: changed }) => {
      onClose();
      notify(texts.updated(nameOf(changed)));
    },
  );
  return (
    <WebhookForm
      webhook={webhook}
      write={edit}
      submit={texts.save}
      onSubmit={edit.submit}
      onCancel={onClose}
    />
  );
}

/** Disables a webhook, or enables it again. */
export const SwitchWebhook = ({ webhook }: Props) =>
  webhook.status === 'enabled' ? (
    <ConfirmationButton
      operation="updateWebhook"
      label={names.disable}
      title={names.disableTitle(nameOf(webhook))}
      details={names.disableDetails}
      run={() => change(webhook, { status: 'disabled' })}
      done={names.isDisabled(nameOf(webhook))}
    />
  ) : (
    <ConfirmationButton
      operation="updateWebhook"
      label={names.enable}
      title={names.enableTitle(nameOf(webhook))}
      details={names.enableDetails}
      run={() => change(webhook, { status: 'enabled' })}
      done={names.isEnabled(nameOf(webhook))}
    />
  );

export function DeleteWebhook({ webhook }: Props) {
  const navigate = useNavigate();
  return (
    <ConfirmationButton
      operation="deleteWebhook"
      label={names.delete}
      title={names.deleteTitle(nameOf(webhook))}
      details={names.deleteDetails}
      isDangerous
      run={() => deleteWebhook(webhook._id)}
      done={async () => {
        await navigate({ to: '/account/webhooks' });
        notify(texts.deleted(nameOf(webhook)));
      }}
    />
  );
}

const change = ({ _id: id }: Webhook, body: WebhookChange) =>
  bodyOf(api.PATCH('/webhooks/{id}', { params: { path: { id } }, body }));

const deleteWebhook = (id: string) =>
  unlessGone(bodyOf(api.DELETE('/webhooks/{id}', { params: { path: { id } } })));

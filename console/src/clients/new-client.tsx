import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { DialogButton } from '../shared/dialog-button.js';
import { notify } from '../shared/notices.js';
import buttons from '../shared/ui/button.module.css';
import { texts } from '../texts.js';
import { ClientForm } from './client-form.js';

interface Props {
  /** Set if this is not the page's main action. */
  readonly label?: string;
}

/** Creates a client and opens its page. */
export function NewClient({ label }: Props) {
  return (
    <DialogButton
      operation="createClient"
      label={label ?? texts.clients.new}
      title={texts.clients.new}
      className={label ? undefined : buttons.primary}
    >
      {(close) => <NewClientForm onCancel={close} />}
    </DialogButton>
  );
}

export function NewClientForm({ onCancel }: { readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const create = useWrite(
    (body: { name: string; email: string }, key) =>
      bodyOf(api.POST('/clients', { params: { header: { 'Idempotency-Key': key } }, body })),
    async ({ client }) => {
      await navigate({ to: '/clients/$id', params: { id: client._id } });
      notify(texts.created(client.name));
    },
  );
  return <ClientForm write={create} submit={texts.create} onCancel={onCancel} />;
}

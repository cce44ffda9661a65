import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Client } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { changesOf } from '../shared/changes.js';
import { DialogButton } from '../shared/dialog-button.js';
import { notify } from '../shared/notices.js';
import { texts } from '../texts.js';
import { ClientForm } from './client-form.js';

export function ChangeClient({ client }: { readonly client: Client }) {
  return (
    <DialogButton
      operation="updateClient"
      label={texts.clients.edit}
      title={texts.clients.editTitle(client.name)}
    >
      {(close) => <ChangeClientForm client={client} onClose={close} />}
    </DialogButton>
  );
}

interface FormProps {
  readonly client: Client;
  readonly onClose: () => void;
}

function ChangeClientForm({ client, onClose }: FormProps) {
  const path = { id: client._id };
  const change = useWrite(
    (fields: { name: string; email: string }) =>
      bodyOf(api.PATCH('/clients/{id}', { params: { path }, body: changesOf(fields, client) })),
    ({ client: { name } }) => {
      onClose();
      notify(texts.updated(name));
    },
  );
  return <ClientForm client={client} write={change} submit={texts.save} onCancel={onClose} />;
}

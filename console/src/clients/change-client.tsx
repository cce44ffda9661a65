import { useNavigate } from '@tanstack/react-router';
import { unlessGone } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Client } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { ConfirmationButton } from '../shared/confirmation.js';
import { DialogButton } from '../shared/dialog-button.js';
import { notify } from '../shared/notices.js';
import { texts } from '../texts.js';
import { ClientForm } from './client-form.js';

export function RenameClient({ client }: { readonly client: Client }) {
  return (
    <DialogButton
      operation="updateClient"
      label={texts.clients.edit}
      title={texts.clients.editTitle}
    >
      {(close) => <RenameClientForm client={client} onClose={close} />}
    </DialogButton>
  );
}

interface FormProps {
  readonly client: Client;
  readonly onClose: () => void;
}

function RenameClientForm({ client, onClose }: FormProps) {
  const path = { id: client._id };
  const rename = useWrite(
    (body: { name: string; email: string }) =>
      bodyOf(api.PATCH('/clients/{id}', { params: { path }, body })),
    ({ message }) => {
      onClose();
      notify(message);
    },
  );
  return <ClientForm client={client} write={rename} submit={texts.save} onCancel={onClose} />;
}

export function DeleteClient({ client: { _id, name } }: { readonly client: Client }) {
  const navigate = useNavigate();
  return (
    <ConfirmationButton
      operation="deleteClient"
      label={texts.clients.delete}
      title={texts.clients.deleteTitle(name)}
      details={texts.clients.deleteDetails}
      isDangerous
      run={() => deleteClient(_id)}
      done={async () => {
        await navigate({ to: '/clients' });
        notify(texts.clients.deleted);
      }}
    />
  );
}

const deleteClient = (id: string) =>
  unlessGone(bodyOf(api.DELETE('/clients/{id}', { params: { path: { id } } })));

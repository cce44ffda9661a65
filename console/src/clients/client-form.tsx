import * as inputs from '../api/inputs.js';
import type { Client } from '../api/types.js';
import type { Write } from '../api/use-write.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { texts } from '../texts.js';

interface Props {
  readonly client?: Client;
  readonly write: Write & {
    readonly submit: (fields: { name: string; email: string }) => void;
  };
  readonly submit: string;
  readonly onCancel: () => void;
}

/** The fields for creating or editing a client. */
export function ClientForm({ client, write, submit, onCancel }: Props) {
  const { name, email } = client ? inputs.updateClient : inputs.createClient;
  return (
    <Form
      write={write}
      submit={submit}
      onCancel={onCancel}
      onSubmit={(fields) =>
        write.submit({ name: textOf(fields, 'name'), email: textOf(fields, 'email') })
      }
    >
      <TextField
        label={texts.clients.name}
        {...name}
        required
        defaultValue={client?.name}
        autoComplete="off"
      />
      <TextField
        label={texts.clients.email}
        {...email}
        required
        defaultValue={client?.email}
        autoComplete="off"
      />
    </Form>
  );
}

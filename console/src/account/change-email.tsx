import { useState } from 'react';
import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { useIsMailOn } from '../mail/use-mail.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { Panel } from '../shared/ui/panel.js';
import { changeEmail as names } from './account-texts.js';

const { email } = inputs.changeEmail;

/** Changes the user's email address by mailing a link to the new one. Without mail, the link can't be sent. */
export function ChangeEmail() {
  const [changes, setChanges] = useState(0);
  const isMailOn = useIsMailOn();
  const change = useWrite(
    async (body: { readonly email: string }, key) => {
      const params = { header: { 'Idempotency-Key': key } };
      await bodyOf(api.POST('/auth/email', { params, body }));
      return body.email;
    },
    (address) => {
      setChanges((count) => count + 1);
      notify(names.sent(address));
    },
  );
  if (!isMailOn) return null;
  return (
    <Panel label={names.title}>
      <h2>{names.title}</h2>
      <Form
        // Clears the fields after a change.
        key={changes}
        write={change}
        submit={names.submit}
        onSubmit={(fields) => change.submit({ email: textOf(fields, email.name) })}
      >
        <TextField label={names.new} hint={names.hint} {...email} autoComplete="email" />
      </Form>
    </Panel>
  );
}

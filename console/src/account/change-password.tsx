import { useState } from 'react';
import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { NewPasswordField, PasswordField } from '../shared/credential-fields.js';
import { Form, passwordOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel } from '../shared/ui/panel.js';
import { texts } from '../texts.js';

const { currentPassword, newPassword } = inputs.changePassword;

interface Passwords {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** @param email password managers store the password under it */
export function ChangePassword({ email }: { readonly email: string | undefined }) {
  const [changes, setChanges] = useState(0);
  const change = useWrite(
    (body: Passwords, key) =>
      bodyOf(api.POST('/auth/password', { params: { header: { 'Idempotency-Key': key } }, body })),
    () => {
      setChanges((count) => count + 1);
      notify(texts.account.passwordChanged);
    },
  );
  return (
    <Panel label={texts.account.password}>
      <h2>{texts.account.password}</h2>
      <Form
        // Clears the fields after a change.
        key={changes}
        write={change}
        submit={texts.account.password}
        onSubmit={(fields) =>
          change.submit({
            currentPassword: passwordOf(fields, 'currentPassword'),
            newPassword: passwordOf(fields, 'newPassword'),
          })
        }
      >
        <input type="text" hidden readOnly autoComplete="username" value={email ?? ''} />
        <PasswordField label={texts.account.current} limits={currentPassword} />
        <NewPasswordField label={texts.account.new} limits={newPassword} />
        <Muted>{texts.account.passwordDetails}</Muted>
      </Form>
    </Panel>
  );
}

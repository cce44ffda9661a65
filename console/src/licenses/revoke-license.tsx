import * as inputs from '../api/inputs.js';
import type { License } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { texts } from '../texts.js';
import { hintOf } from './license-name.js';
import { revoke } from './license-writes.js';

interface Props {
  readonly license: License;
  readonly onClose: () => void;
}

export function RevokeForm({ license, onClose }: Props) {
  const write = useWrite(
    (body: { reason?: string }, key) => revoke(license._id, body, key),
    () => {
      onClose();
      notify(texts.revoke.done(hintOf(license)));
    },
  );
  return (
    <Form
      write={write}
      submit={texts.revoke.action}
      onCancel={onClose}
      isDangerous
      onSubmit={(fields) => {
        const reason = textOf(fields, 'reason');
        write.submit(reason ? { reason } : {});
      }}
    >
      <p>{texts.revoke.consequence}</p>
      <TextField
        label={texts.revoke.reason}
        hint={texts.revoke.reasonHint}
        {...inputs.revokeLicense.reason}
        autoComplete="off"
      />
    </Form>
  );
}

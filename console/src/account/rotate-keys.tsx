import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { PasswordField } from '../shared/credential-fields.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Checkbox } from '../shared/fields.js';
import { Form, passwordOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { signingKeys as names } from './account-texts.js';

interface Rotation {
  readonly current: string;
  readonly password: string;
  readonly compromised?: true;
}

interface Props {
  /** `kid` of the current key. The service rejects the rotation if another key is current by then. */
  readonly current: string;
}

export function RotateKeys({ current }: Props) {
  return (
    <DialogButton operation="rotateSigningKeys" label={names.rotate} title={names.rotateTitle}>
      {(close) => <RotateForm current={current} onClose={close} />}
    </DialogButton>
  );
}

function RotateForm({ current, onClose }: Props & { readonly onClose: () => void }) {
  const rotate = useWrite(
    (body: Rotation, key) =>
      bodyOf(
        api.POST('/signing-keys/rotate', { params: { header: { 'Idempotency-Key': key } }, body }),
      ),
    ({ builds }) => {
      onClose();
      notify(`${names.rotated}. ${builds}`);
    },
  );
  return (
    <Form
      write={rotate}
      submit={names.rotate}
      onCancel={onClose}
      isDangerous
      onSubmit={(fields) =>
        rotate.submit({
          current,
          password: passwordOf(fields, 'password'),
          ...(fields.has('compromised') && { compromised: true }),
        })
      }
    >
      <p>{names.rotateConsequence}</p>
      <Checkbox label={names.compromised} hint={names.compromisedHint} name="compromised" />
      <PasswordField limits={{ ...inputs.rotateSigningKeys.password, required: true }} />
    </Form>
  );
}

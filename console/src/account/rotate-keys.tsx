import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Checkbox } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../shared/loaded.js';
import { ProofFields, proofOf } from '../security/proof-fields.js';
import { factorsQuery, stepUpFactorsOf } from '../security/security-queries.js';
import { stepUpOptions } from '../security/step-up-options.js';
import { signingKeys as names } from './account-texts.js';

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
  const factors = useQuery(factorsQuery);
  const rotate = useWrite(
    async (fields: FormData, key) => {
      const params = { header: { 'Idempotency-Key': key } };
      const compromised = fields.has('compromised') ? { compromised: true as const } : {};
      const body = { current, ...(await proofOf(fields, stepUpOptions)), ...compromised };
      return bodyOf(api.POST('/signing-keys/rotate', { params, body }));
    },
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
      onSubmit={(fields) => rotate.submit(fields)}
    >
      <p>{names.rotateConsequence}</p>
      <Checkbox label={names.compromised} hint={names.compromisedHint} name="compromised" />
      <Loaded query={factors}>{(set) => <ProofFields factors={stepUpFactorsOf(set)} />}</Loaded>
    </Form>
  );
}

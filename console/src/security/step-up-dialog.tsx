import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Confirmation } from '../api/step-up.js';
import { useWrite } from '../api/use-write.js';
import { Dialog } from '../shared/dialog.js';
import { Form } from '../shared/form.js';
import { ProofFields, proofOf } from './proof-fields.js';
import { stepUpOptions } from './step-up-options.js';
import { stepUp as names } from './security-texts.js';

interface Props {
  readonly confirmation: Confirmation;
}

/** Asks the user to confirm a change. The form for the change stays open underneath. */
export const StepUpDialog = ({ confirmation }: Props) => (
  <Dialog title={names.title} onClose={() => confirmation.end(false)}>
    <StepUpForm confirmation={confirmation} />
  </Dialog>
);

function StepUpForm({ confirmation: { factors, end } }: Props) {
  const confirm = useWrite(stepUp, () => end(true));
  return (
    <Form
      write={confirm}
      submit={names.submit}
      onCancel={() => end(false)}
      onSubmit={(fields) => confirm.submit(fields)}
    >
      <p>{names.details}</p>
      <ProofFields factors={factors} />
    </Form>
  );
}

async function stepUp(fields: FormData): Promise<void> {
  const body = await proofOf(fields, stepUpOptions);
  await bodyOf(api.POST('/auth/step-up', { body }));
}

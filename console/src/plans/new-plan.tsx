import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { plans as names, terms } from '../licenses/license-texts.js';
import { MoreTermsFields } from '../projects/more-terms-fields.js';
import { TermsFields, termsOf } from '../projects/terms-fields.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Checkbox, TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import buttons from '../shared/ui/button.module.css';
import { texts } from '../texts.js';

export function NewPlan() {
  return (
    <DialogButton
      operation="createPlan"
      label={names.new}
      title={names.new}
      className={buttons.primary}
    >
      {(close) => <NewPlanForm onClose={close} />}
    </DialogButton>
  );
}

function NewPlanForm({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite(
    (
      body: ReturnType<typeof termsOf> & {
        name: string;
        product: string | null;
        oncePerMachine: boolean;
      },
      key,
    ) => bodyOf(api.POST('/plans', { params: { header: { 'Idempotency-Key': key } }, body })),
    ({ plan: { name } }) => {
      onClose();
      notify(texts.created(name));
    },
  );
  return (
    <Form
      write={create}
      submit={texts.create}
      onCancel={onClose}
      onSubmit={(fields) =>
        create.submit({
          ...termsOf(fields),
          name: textOf(fields, 'name'),
          product: textOf(fields, 'product') || null,
          oncePerMachine: fields.has('oncePerMachine'),
        })
      }
    >
      <TextField label={names.name} {...inputs.createPlan.name} autoComplete="off" />
      <TermsFields limits={inputs.createPlan} />
      <MoreTermsFields limits={inputs.createPlan} />
      <TextField label={texts.projects.product} {...inputs.createPlan.product} autoComplete="off" />
      <Checkbox label={terms.oncePerMachine} name="oncePerMachine" />
    </Form>
  );
}

import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import type { Plan } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { plans as names, terms } from '../licenses/license-texts.js';
import { LimitsFields } from '../projects/limits-fields.js';
import { ProductField, productOf } from '../projects/product-field.js';
import { TermsFields, termsOf } from '../projects/terms-fields.js';
import { UpdatesField, updatesOf } from '../projects/updates-field.js';
import { changesOf } from '../shared/changes.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Checkbox, TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import buttons from '../shared/ui/button.module.css';
import { texts } from '../texts.js';

export const NewPlan = () => (
  <DialogButton
    operation="createPlan"
    label={names.new}
    title={names.new}
    className={buttons.primary}
  >
    {(close) => <PlanForm onClose={close} />}
  </DialogButton>
);

type Fields = ReturnType<typeof fieldsOf>;

interface Props {
  /** The plan to change; absent for a new one. */
  readonly plan?: Plan;
  readonly onClose: () => void;
}

/** The fields for creating or editing a plan. */
export function PlanForm({ plan, onClose }: Props) {
  const write = useWrite(
    (fields: Fields, key) => (plan ? update(plan, fields) : create(fields, key)),
    (saved) => {
      onClose();
      notify((plan ? texts.updated : texts.created)(saved.plan.name));
    },
  );
  const limits = plan ? inputs.updatePlan : inputs.createPlan;
  return (
    <Form
      write={write}
      submit={plan ? texts.save : texts.create}
      onCancel={onClose}
      onSubmit={(fields) => write.submit(fieldsOf(fields, plan))}
    >
      {plan && <p>{names.editDetails}</p>}
      <TextField
        label={names.name}
        {...limits.name}
        defaultValue={plan?.name}
        required
        autoComplete="off"
      />
      <TermsFields limits={inputs.createPlan} initial={plan} />
      <LimitsFields limits={limits} initial={plan} />
      <details>
        <summary>{terms.more}</summary>
        <UpdatesField limits={limits} {...(plan && { initial: plan })} />
        <ProductField limits={limits.product} none={names.anyProduct} initial={plan?.product} />
        <Checkbox
          label={terms.oncePerMachine}
          name="oncePerMachine"
          defaultChecked={plan?.oncePerMachine ?? false}
        />
      </details>
    </Form>
  );
}

const fieldsOf = (fields: FormData, plan: Plan | undefined) => ({
  ...termsOf(fields),
  ...updatesOf(fields, plan),
  name: textOf(fields, 'name'),
  product: productOf(fields),
  oncePerMachine: fields.has('oncePerMachine'),
});

const create = (body: Fields, key: string) =>
  bodyOf(api.POST('/plans', { params: { header: { 'Idempotency-Key': key } }, body }));

function update(plan: Plan, fields: Fields) {
  const { _id: id } = plan;
  return bodyOf(
    api.PATCH('/plans/{id}', { params: { path: { id } }, body: changesOf(fields, plan) }),
  );
}

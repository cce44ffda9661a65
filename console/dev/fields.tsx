import { ApiError } from '../src/api/api-error.js';
import { CheckboxGroup } from '../src/shared/checkbox-group.js';
import { Checkbox, SelectField, TextArea, TextField } from '../src/shared/fields.js';
import { Form } from '../src/shared/form.js';
import { Part } from './part.js';

const IDLE = { isPending: false, isDone: false, error: null, wait: null, cancel: () => false };

const REJECTED = new ApiError(
  400,
  {
    message: 'Validation error',
    errors: { name: ['name must not be empty'], note: ['note must be text'], plan: ['unknown'] },
  },
  null,
);

const STATES = [
  ['A form', IDLE],
  ['A rejected form', { ...IDLE, error: REJECTED }],
  ['A pending form', { ...IDLE, isPending: true }],
] as const;

/** Forms with each kind of field. */
export const Fields = () =>
  STATES.map(([name, write]) => (
    <Part key={name} name={name}>
      <Form write={write} submit="Save" onCancel={() => undefined} onSubmit={() => undefined}>
        <TextField label="Name" name="name" hint="What it is for" defaultValue="Web shop" />
        <TextField label="Product" name="product" placeholder="Optional" />
        <TextField label="Issuer" name="issuer" readOnly defaultValue="6b05f1a2" />
        <TextField label="Expires" name="expires" type="date" />
        <TextArea label="Note" name="note" />
        <SelectField label="Plan" name="plan">
          <option>Team of five</option>
        </SelectField>
        <Checkbox label="Perpetual" name="perpetual" />
        <CheckboxGroup
          label="Services"
          hint="At least one"
          required="Choose one"
          input={{ name: 'services', options: ['Hosting', 'Domain'] }}
          presets={[{ label: 'All', options: ['Hosting', 'Domain'] }]}
        />
      </Form>
    </Part>
  ));

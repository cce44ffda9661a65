import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import type { Scope } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { CheckboxGroup } from '../shared/checkbox-group.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { ShowOnceButton } from '../shared/show-once-button.js';
import buttons from '../shared/ui/button.module.css';
import { texts } from '../texts.js';
import { apiKeys as names, scopeHints } from './api-key-texts.js';

/** Creates an API key, then shows its secret. */
export const NewApiKey = () => (
  <ShowOnceButton
    operation="createApiKey"
    label={names.new}
    title={names.new}
    className={buttons.primary}
    names={{ title: names.done, text: names.secret, copy: names.copySecret }}
  >
    {(show, close) => (
      <NewApiKeyForm
        onDone={(text) => show({ text, details: names.doneDetails })}
        onClose={close}
      />
    )}
  </ShowOnceButton>
);

interface FormProps {
  readonly onDone: (secret: string) => void;
  readonly onClose: () => void;
}

/** The scopes that examples/checkout needs. */
const SHOP_SCOPES: readonly Scope[] = [
  ...(['plans:read', 'clients:read', 'clients:write'] as const),
  ...(['projects:write', 'licenses:read', 'licenses:write'] as const),
];

interface NewKey {
  readonly name: string;
  readonly scopes: Scope[];
  readonly expiresAt?: string;
}

function NewApiKeyForm({ onDone, onClose }: FormProps) {
  const create = useWrite(
    (body: NewKey, key) =>
      bodyOf(api.POST('/api-keys', { params: { header: { 'Idempotency-Key': key } }, body })),
    ({ secret }) => {
      if (secret !== null) return onDone(secret);
      onClose();
      notify(names.secretLost);
    },
  );
  const { name, scopes } = inputs.createApiKey;
  return (
    <Form
      write={create}
      submit={texts.create}
      onCancel={onClose}
      onSubmit={(fields) => {
        const day = textOf(fields, 'expiresAt');
        create.submit({
          name: textOf(fields, name.name),
          scopes: fields.getAll(scopes.name) as Scope[],
          ...(day && { expiresAt: endOf(day) }),
        });
      }}
    >
      <TextField label={names.name} hint={names.nameHint} {...name} autoComplete="off" />
      <CheckboxGroup
        label={names.scopes}
        hint={names.scopesHint}
        input={scopes}
        hints={scopeHints}
        required={names.scopeRequired}
        presets={[
          { label: names.forShop, options: SHOP_SCOPES },
          { label: names.forSupport, options: ['licenses:read', 'clients:read'] },
        ]}
      />
      <TextField
        label={names.expires}
        hint={names.expiresHint}
        name="expiresAt"
        type="date"
        max="9999-12-31"
      />
    </Form>
  );
}

/** The end of a day in the reader's time zone. */
const endOf = (day: string) => new Date(`${day}T23:59:59.999`).toISOString();

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import * as inputs from '../api/inputs.js';
import { ClientChoice } from '../clients/client-choice.js';
import { clientByEmailQuery } from '../clients/client-queries.js';
import { TextField } from '../shared/fields.js';
import { textOf } from '../shared/form.js';
import { Muted } from '../shared/ui/muted.js';
import { texts } from '../texts.js';
import { issue as names } from './issue-texts.js';
import type { Subject } from './issue-license.js';
import { ProductField, productOf } from './product-field.js';

interface Props {
  readonly clientId: string | undefined;
  readonly onChange: (clientId: string | undefined) => void;
  /** Called with the chosen product: empty for no product, undefined for a new one. */
  readonly onProduct: (product: string | undefined) => void;
}

/** The client and product of a new license, existing or new. */
export const ForWhom = ({ clientId, onChange, onProduct }: Props) => (
  <>
    <ClientChoice
      clientId={clientId}
      name={CLIENT}
      placeholder={texts.projects.clientHint}
      onChange={(client) => onChange(client?._id)}
    />
    {clientId === undefined && <NewClientEmail onTaken={onChange} />}
    <ProductField
      limits={inputs.createProject.product}
      none={names.noProduct}
      onChange={onProduct}
    />
  </>
);

/** The email address of a new client. If an existing client has it, that client is offered. */
function NewClientEmail({ onTaken }: { readonly onTaken: (clientId: string) => void }) {
  const [typed, setTyped] = useState('');
  const email = useDeferredValue(typed.trim());
  const { data: owner } = useQuery({
    ...clientByEmailQuery(email),
    enabled: /^\S+@\S+\.\S+$/.test(email),
  });
  return (
    <>
      <TextField
        label={texts.projects.emailLabel}
        {...inputs.createClient.email}
        required
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
      />
      {owner && (
        <Muted>
          <span role="status">{names.emailTaken(owner.name)}</span>{' '}
          <button type="button" onClick={() => onTaken(owner._id)}>
            {names.useExisting}
          </button>
        </Muted>
      )}
    </>
  );
}

const CLIENT = 'clientName';

export const subjectOf = (fields: FormData, clientId: string | undefined): Subject => ({
  client: clientId ?? { name: textOf(fields, CLIENT), email: textOf(fields, 'email') },
  projectName: textOf(fields, 'projectName') || null,
  product: productOf(fields),
});

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type * as inputs from '../api/inputs.js';
import { rowsOf } from '../api/pages.js';
import { terms as names } from '../licenses/license-texts.js';
import { plansQuery } from '../plans/plan-queries.js';
import { SelectField, TextField } from '../shared/fields.js';
import { textOf } from '../shared/form.js';
import { MoreTermsFields } from './more-terms-fields.js';
import { TermsFields, termsOf } from './terms-fields.js';

interface Props {
  /** The limits from the operation that the form submits. */
  readonly limits: typeof inputs.createLicense | typeof inputs.createProject;
}

/** The terms of a new license: its own, or a plan's. */
export function LicenseTermsFields({ limits }: Props) {
  const { data } = useInfiniteQuery(plansQuery());
  const [plan, setPlan] = useState('');
  return (
    <>
      {plan === '' && <TermsFields limits={limits} />}
      <details>
        <summary>{names.more}</summary>
        <SelectField
          label={names.plan}
          hint={names.planHint}
          name={limits.plan.name}
          value={plan}
          onChange={({ target }) => setPlan(target.value)}
        >
          <option value="">{names.noPlan}</option>
          {data &&
            rowsOf(data).map(({ _id, name }) => (
              <option key={_id} value={_id}>
                {name}
              </option>
            ))}
        </SelectField>
        {plan === '' && <MoreTermsFields limits={limits} />}
        <TextField
          label={names.externalId}
          hint={names.externalIdHint}
          {...limits.externalId}
          autoComplete="off"
        />
      </details>
    </>
  );
}

export function licenseTermsOf(fields: FormData) {
  const plan = textOf(fields, 'plan');
  const externalId = textOf(fields, 'externalId') || null;
  return plan ? { plan, externalId } : { ...termsOf(fields), externalId };
}

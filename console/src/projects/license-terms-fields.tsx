import { type ReactNode, useState } from 'react';
import type * as inputs from '../api/inputs.js';
import { terms as names } from '../licenses/license-texts.js';
import { PlanField } from '../plans/plan-field.js';
import { TextField } from '../shared/fields.js';
import { textOf } from '../shared/form.js';
import { FeaturesFields, SeatsFields } from './limits-fields.js';
import { TermsFields, termsOf } from './terms-fields.js';
import { UpdatesField } from './updates-field.js';

interface Props {
  /** The limits from the operation that the form submits. */
  readonly limits: typeof inputs.createLicense | typeof inputs.createProject;
  /** The preselected plan. */
  readonly initial?: string | undefined;
  /** The chosen product, if known; plans for other products are not offered. */
  readonly product?: string | null | undefined;
  /** More optional fields. */
  readonly children?: ReactNode;
}

/** The terms of a new license, from a plan or entered here. */
export function LicenseTermsFields({ limits, initial = '', product, children }: Props) {
  const [plan, setPlan] = useState(initial);
  const isCustom = plan === '';
  return (
    <>
      <PlanField
        name={limits.plan.name}
        hint={names.planHint}
        isDescribed
        none={names.customTerms}
        initial={initial}
        product={product}
        onChange={setPlan}
      />
      {isCustom && (
        <>
          <TermsFields limits={limits} />
          <SeatsFields limits={limits} />
        </>
      )}
      <details>
        <summary>{names.more}</summary>
        {isCustom && (
          <>
            <FeaturesFields limits={limits} />
            <UpdatesField limits={limits} />
          </>
        )}
        {children}
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

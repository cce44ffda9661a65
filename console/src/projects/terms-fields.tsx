import type * as inputs from '../api/inputs.js';
import type { LicensedService, Plan } from '../api/types.js';
import { CheckboxGroup } from '../shared/checkbox-group.js';
import { OFFERED_SERVICES } from '../shared/offered-services.js';
import { texts } from '../texts.js';
import { limitsOf } from './limits-fields.js';
import { TermField, termOf } from './term-field.js';
import { updatesOf } from './updates-field.js';

interface Props {
  /** The limits from the operation that the form submits. */
  readonly limits:
    | typeof inputs.createLicense
    | typeof inputs.createProject
    | typeof inputs.createPlan;
  readonly initial?: Plan | undefined;
}

/** The term and services of a new license or a plan. */
export function TermsFields({ limits, initial }: Props) {
  return (
    <>
      <TermField limits={limits} initial={initial} />
      {OFFERED_SERVICES.length > 0 && (
        <CheckboxGroup
          label={texts.projects.services}
          input={{ ...limits.services, options: OFFERED_SERVICES }}
          initial={initial?.services ?? (OFFERED_SERVICES.length === 1 ? OFFERED_SERVICES : [])}
          required={texts.projects.serviceRequired}
        />
      )}
    </>
  );
}

/** The terms in a form, without empty or missing fields. */
export const termsOf = (fields: FormData) => ({
  ...termOf(fields),
  services: fields.getAll('services') as LicensedService[],
  ...limitsOf(fields),
  ...updatesOf(fields),
});

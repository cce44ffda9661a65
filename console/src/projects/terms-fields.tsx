import type * as inputs from '../api/inputs.js';
import type { Plan } from '../api/types.js';
import { limitsOf } from './limits-fields.js';
import { ServicesField, servicesOf } from './services-field.js';
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
      <ServicesField input={limits.services} initial={initial?.services} />
    </>
  );
}

/** The terms in a form, without empty or missing fields. */
export const termsOf = (fields: FormData) => ({
  ...termOf(fields),
  ...servicesOf(fields),
  ...limitsOf(fields),
  ...updatesOf(fields),
});

import type * as inputs from '../api/inputs.js';
import type { LicensedService } from '../api/types.js';
import { terms as names } from '../licenses/license-texts.js';
import { CheckboxGroup } from '../shared/checkbox-group.js';
import { DurationField, durationOf } from '../shared/duration-field.js';
import { Checkbox, TextField } from '../shared/fields.js';
import { textOf } from '../shared/form.js';
import { OFFERED_SERVICES } from '../shared/offered-services.js';
import { FieldRow } from '../shared/ui/field-row.js';
import { texts } from '../texts.js';

interface Props {
  /** The limits from the operation that the form submits. */
  readonly limits:
    | typeof inputs.createLicense
    | typeof inputs.createProject
    | typeof inputs.createPlan;
}

/** The term and services of a new license. */
export function TermsFields({ limits: { duration, days, services } }: Props) {
  return (
    <>
      <FieldRow>
        <DurationField limits={duration} hint={texts.projects.durationHint(duration)} />
        <TextField label={names.days} hint={names.daysHint} {...days} />
        <Checkbox label={names.perpetual} name="perpetual" />
      </FieldRow>
      {OFFERED_SERVICES.length > 0 && (
        <CheckboxGroup
          label={texts.projects.services}
          input={{ ...services, options: OFFERED_SERVICES }}
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
  ...numberOf(fields, 'maxMachines'),
  ...numberOf(fields, 'leaseSeconds'),
  ...(fields.has('release') && { release: 'self' as const }),
  entitlements: textOf(fields, 'entitlements')
    .split(/[\s,]+/)
    .filter(Boolean),
});

/** Perpetual or days if filled in, otherwise months. */
function termOf(fields: FormData) {
  if (fields.has('perpetual')) return { perpetual: true };
  return textOf(fields, 'days') ? numberOf(fields, 'days') : { duration: durationOf(fields) };
}

const numberOf = <Name extends string>(fields: FormData, name: Name) =>
  (textOf(fields, name) ? { [name]: Number(fields.get(name)) } : {}) as Partial<
    Record<Name, number>
  >;

import { useEffect, useRef } from 'react';
import type * as inputs from '../api/inputs.js';
import type { LicensedService } from '../api/types.js';
import { DurationField, durationOf } from '../shared/duration-field.js';
import { Checkbox } from '../shared/fields.js';
import { texts } from '../texts.js';

interface Props {
  /** Of the operation that the form submits. */
  readonly limits: typeof inputs.createLicense | typeof inputs.createProject;
}

/** What a new license is issued for: its duration and services. */
export function TermsFields({ limits: { duration, services } }: Props) {
  const group = useRef<HTMLFieldSetElement>(null);
  // HTML cannot say that one of several boxes is required.
  const validate = () => {
    const boxes = [...(group.current?.querySelectorAll('input') ?? [])];
    const isAny = boxes.some(({ checked }) => checked);
    boxes[0]?.setCustomValidity(isAny ? '' : texts.projects.serviceRequired);
  };
  useEffect(validate, []);
  return (
    <>
      <DurationField limits={duration} hint={texts.projects.durationHint(duration)} />
      <fieldset ref={group} onChange={validate}>
        <legend>{texts.projects.services}</legend>
        <div className="checkboxes">
          {services.options.map((service) => (
            <Checkbox key={service} label={service} name={services.name} value={service} />
          ))}
        </div>
      </fieldset>
    </>
  );
}

export const termsOf = (fields: FormData) => ({
  duration: durationOf(fields),
  services: fields.getAll('services') as LicensedService[],
});

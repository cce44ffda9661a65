import type { LicensedService } from '../api/types.js';
import { CheckboxGroup } from '../shared/checkbox-group.js';
import { OFFERED_SERVICES } from '../shared/deployment.js';
import { texts } from '../texts.js';

interface Props {
  /** The limits from the operation that the form submits. */
  readonly input: { readonly name: string };
  readonly initial?: readonly string[] | undefined;
  readonly label?: string;
}

/** The services of a license or a plan, if the operator offers any. */
export const ServicesField = ({ input, initial, label }: Props) =>
  OFFERED_SERVICES.length > 0 && (
    <CheckboxGroup
      label={label ?? texts.projects.services}
      input={{ ...input, options: OFFERED_SERVICES }}
      initial={initial ?? (OFFERED_SERVICES.length === 1 ? OFFERED_SERVICES : [])}
      required={texts.projects.serviceRequired}
    />
  );

export const servicesOf = (fields: FormData) => ({
  services: fields.getAll('services') as LicensedService[],
});

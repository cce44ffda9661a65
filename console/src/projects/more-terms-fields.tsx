import type * as inputs from '../api/inputs.js';
import { terms as names } from '../licenses/license-texts.js';
import { Checkbox, TextField } from '../shared/fields.js';
import { FieldRow } from '../shared/ui/field-row.js';

interface Props {
  /** The limits from the operation that the form submits. */
  readonly limits:
    | typeof inputs.createLicense
    | typeof inputs.createProject
    | typeof inputs.createPlan;
}

/** Seats and entitlements. */
export const MoreTermsFields = ({ limits }: Props) => (
  <>
    <FieldRow>
      <TextField label={names.maxMachines} {...limits.maxMachines} />
      <TextField
        label={names.leaseSeconds}
        hint={names.leaseSecondsHint(limits.leaseSeconds)}
        {...limits.leaseSeconds}
      />
    </FieldRow>
    <Checkbox label={names.release} hint={names.releaseHint} name="release" />
    <TextField
      label={names.entitlements}
      hint={names.entitlementsHint}
      name={limits.entitlements.name}
      autoComplete="off"
    />
  </>
);

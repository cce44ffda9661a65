import type * as inputs from '../api/inputs.js';
import { terms as names } from '../licenses/license-texts.js';
import { Checkbox, TextField } from '../shared/fields.js';

interface Props {
  /** Of the operation that the form submits. */
  readonly limits:
    typeof inputs.createLicense | typeof inputs.createProject | typeof inputs.createPlan;
}

/** Another term than months, machines and entitlements. */
export const MoreTermsFields = ({ limits }: Props) => (
  <>
    <TextField label={names.days} hint={names.daysHint} {...limits.days} />
    <Checkbox label={names.perpetual} name="perpetual" />
    <TextField label={names.maxMachines} {...limits.maxMachines} />
    <TextField label={names.leaseSeconds} hint={names.leaseSecondsHint} {...limits.leaseSeconds} />
    <Checkbox label={names.release} name="release" />
    <TextField
      label={names.entitlements}
      hint={names.entitlementsHint}
      name={limits.entitlements.name}
      autoComplete="off"
    />
  </>
);

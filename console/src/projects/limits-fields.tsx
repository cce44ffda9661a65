import type * as inputs from '../api/inputs.js';
import type { Plan } from '../api/types.js';
import { terms as names } from '../licenses/license-texts.js';
import { Checkbox, TextField } from '../shared/fields.js';
import { textOf } from '../shared/form.js';
import { FieldRow } from '../shared/ui/field-row.js';

/** Leases are shown in minutes. */
const MINUTE = 60;

/** The limits of the operations whose forms have terms. */
export type TermLimits = (typeof inputs)[
  | 'createLicense'
  | 'createProject'
  | 'createPlan'
  | 'updateLicense'
  | 'updatePlan'];

interface Props {
  /** The limits from the operation that the form submits. */
  readonly limits: TermLimits;
  readonly initial?:
    | Pick<Plan, 'maxMachines' | 'leaseSeconds' | 'release' | 'entitlements'>
    | undefined;
}

/** Seats and entitlements. */
export const LimitsFields = (props: Props) => (
  <>
    <SeatsFields {...props} />
    <FeaturesFields {...props} />
  </>
);

/** The number of seats, and whether they are floating. */
export function SeatsFields({ limits, initial }: Props) {
  const { min, max } = limits.leaseSeconds;
  const lease = initial?.leaseSeconds ?? null;
  return (
    <FieldRow>
      <TextField
        label={names.maxMachines}
        {...limits.maxMachines}
        defaultValue={initial?.maxMachines ?? 1}
        required
      />
      <TextField
        label={names.floating}
        hint={names.floatingHint({ min: min / MINUTE, max: max / MINUTE })}
        type="number"
        name="leaseMinutes"
        min={min / MINUTE}
        max={max / MINUTE}
        step="any"
        defaultValue={lease === null ? '' : lease / MINUTE}
      />
    </FieldRow>
  );
}

/** Entitlements, and whether the app may free its own seat. */
export const FeaturesFields = ({ limits, initial }: Props) => (
  <>
    <TextField
      label={names.entitlements}
      hint={names.entitlementsHint}
      name={limits.entitlements.name}
      defaultValue={initial?.entitlements.join(' ')}
      autoComplete="off"
    />
    <Checkbox
      label={names.release}
      hint={names.releaseHint}
      name="release"
      defaultChecked={initial?.release === 'self'}
    />
  </>
);

/** The seats and entitlements in a form. */
export const limitsOf = (fields: FormData) => ({
  maxMachines: Number(fields.get('maxMachines') ?? 1),
  leaseSeconds: textOf(fields, 'leaseMinutes')
    ? Math.round(Number(fields.get('leaseMinutes')) * MINUTE)
    : null,
  release: fields.has('release') ? ('self' as const) : ('owner' as const),
  entitlements: [
    ...new Set(
      textOf(fields, 'entitlements')
        .split(/[\s,]+/)
        .filter(Boolean),
    ),
  ].sort(),
});

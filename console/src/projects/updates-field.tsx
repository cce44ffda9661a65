import { useState } from 'react';
import { updates as names } from '../licenses/license-texts.js';
import { dayOf, endOfDay } from '../shared/days.js';
import { DateField, SelectField, TextField } from '../shared/fields.js';
import { textOf } from '../shared/form.js';
import { FieldRow } from '../shared/ui/field-row.js';
import type { TermLimits } from './limits-fields.js';

interface Updates {
  readonly updatesDays: number | null;
  readonly updatesUntil?: string | null;
}

interface Props {
  /** The limits from the operation that the form submits. */
  readonly limits: TermLimits;
  readonly initial?: Updates;
  /** Whether days can still start at the first activation. */
  readonly isActivated?: boolean;
}

/** How long updates are included: unlimited, for days, or until a date. */
export function UpdatesField({ limits, initial, isActivated = false }: Props) {
  const [choice, setChoice] = useState(initial ? choiceOf(initial) : '');
  return (
    <FieldRow>
      <SelectField
        label={names.title}
        hint={names.hint}
        name="updates"
        value={choice}
        onChange={({ target }) => setChoice(target.value)}
      >
        <option value="">{names.unlimited}</option>
        {!isActivated && <option value="days">{names.forDays}</option>}
        {'updatesUntil' in limits && <option value="date">{names.untilDate}</option>}
      </SelectField>
      {choice === 'days' && (
        <TextField
          label={names.days}
          {...limits.updatesDays}
          defaultValue={initial?.updatesDays ?? 365}
          required
        />
      )}
      {choice === 'date' && (
        <DateField
          label={names.until}
          name="updatesUntil"
          defaultValue={initial?.updatesUntil ? dayOf(new Date(initial.updatesUntil)) : ''}
          required
        />
      )}
    </FieldRow>
  );
}

function choiceOf({ updatesDays, updatesUntil }: Updates): string {
  if (updatesDays !== null) return 'days';
  return updatesUntil ? 'date' : '';
}

/**
 * The updates in a form, as the API expects them.
 *
 * @param former the record before the change; an unchanged date keeps its time of day
 */
export function updatesOf(fields: FormData, former?: Updates): Partial<Updates> {
  const day = textOf(fields, 'updatesUntil');
  switch (textOf(fields, 'updates')) {
    case 'days':
      return { updatesDays: Number(fields.get('updatesDays')) };
    case 'date': {
      const until = former?.updatesUntil;
      return { updatesUntil: until && dayOf(new Date(until)) === day ? until : endOfDay(day) };
    }
    default:
      return former ? withoutLimit(former) : {};
  }
}

/** The name of the limited field, without its limit. */
const withoutLimit = ({ updatesDays, updatesUntil }: Updates) => ({
  ...(updatesDays !== null && { updatesDays: null }),
  ...(updatesUntil && { updatesUntil: null }),
});

import { useState } from 'react';
import type * as inputs from '../api/inputs.js';
import type { Plan } from '../api/types.js';
import { terms as names } from '../licenses/license-texts.js';
import { endOfDay } from '../shared/days.js';
import { DateField, SelectField, TextField } from '../shared/fields.js';
import { textOf } from '../shared/form.js';
import { FieldRow } from '../shared/ui/field-row.js';
import { texts } from '../texts.js';

/** Common terms. The API accepts at most 12 months, so longer terms are in days. */
const USUAL = ['months 1', 'months 6', 'months 12', 'days 730', 'days 1095'];

interface Props {
  /** The limits from the operation that the form submits. */
  readonly limits:
    | typeof inputs.createLicense
    | typeof inputs.createProject
    | typeof inputs.createPlan;
  readonly initial?: Pick<Plan, 'duration' | 'days' | 'perpetual'> | undefined;
}

/** Chooses the term: a common one, a number of months or days, a date, or perpetual. */
export function TermField({ limits, initial }: Props) {
  const [term, setTerm] = useState(initial ? choiceOf(initial) : 'months 12');
  return (
    <FieldRow>
      <SelectField
        label={texts.licenses.term}
        hint={term === 'date' ? undefined : names.termHint}
        name="term"
        value={term}
        onChange={({ target }) => setTerm(target.value)}
      >
        {USUAL.map((choice) => (
          <option key={choice} value={choice}>
            {texts.term(lengthOf(choice))}
          </option>
        ))}
        <option value="days">{names.inDays}</option>
        <option value="months">{names.inMonths}</option>
        {'expiresAt' in limits && <option value="date">{names.untilDate}</option>}
        <option value="perpetual">{texts.perpetual}</option>
      </SelectField>
      {term === 'days' && (
        <TextField
          label={names.days}
          hint={names.daysHint}
          {...limits.days}
          defaultValue={initial?.days ?? ''}
          required
        />
      )}
      {term === 'months' && (
        <TextField
          label={texts.duration}
          {...limits.duration}
          defaultValue={initial?.duration ?? ''}
          required
        />
      )}
      {term === 'date' && <DateField label={texts.licenses.expires} name="expiresAt" required />}
    </FieldRow>
  );
}

function choiceOf({ duration, days, perpetual }: Pick<Plan, 'duration' | 'days' | 'perpetual'>) {
  if (perpetual) return 'perpetual';
  const usual = duration === null ? `days ${days}` : `months ${duration}`;
  if (USUAL.includes(usual)) return usual;
  return duration === null ? 'days' : 'months';
}

function lengthOf(choice: string) {
  const [unit, count] = choice.split(' ');
  return unit === 'months'
    ? { duration: Number(count), days: null }
    : { duration: null, days: Number(count) };
}

/** The term in a form, as the API expects it. */
export function termOf(fields: FormData) {
  const term = textOf(fields, 'term');
  switch (term) {
    case 'perpetual':
      return { perpetual: true };
    case 'date':
      return { expiresAt: endOfDay(textOf(fields, 'expiresAt')) };
    case 'days':
    case 'months': {
      const name = term === 'days' ? 'days' : 'duration';
      return { [name]: Number(fields.get(name)) };
    }
    default: {
      const { duration, days } = lengthOf(term);
      return duration === null ? { days } : { duration };
    }
  }
}

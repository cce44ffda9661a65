import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rowsOf } from '../api/pages.js';
import type { Plan } from '../api/types.js';
import { terms as names } from '../licenses/license-texts.js';
import { SelectField } from '../shared/fields.js';
import { PlanName } from './plan-name.js';
import { plansQuery } from './plan-queries.js';
import { termsOfPlan } from './plan-texts.js';

interface Props {
  readonly name: string;
  readonly hint?: string;
  /** Whether to show the terms of the chosen plan. */
  readonly isDescribed?: boolean;
  /** The option for no plan. */
  readonly none: string;
  readonly initial?: string | null | undefined;
  /** Plans for other products are not offered. */
  readonly product?: string | null | undefined;
  readonly onChange?: (plan: string) => void;
}

/** Chooses a plan, and shows its terms. Hidden if there are no plans. */
export function PlanField({ name, hint, isDescribed, none, initial, product, onChange }: Props) {
  const { data } = useInfiniteQuery(plansQuery());
  const [chosen, setChosen] = useState(initial ?? '');
  const plans = data ? rowsOf(data).filter((plan) => isFor(plan, product)) : [];
  const plan = plans.find(({ _id }) => _id === chosen);
  if (plans.length === 0 && chosen === '') return null;
  return (
    <SelectField
      label={names.plan}
      hint={plan && isDescribed ? termsOfPlan(plan) : hint}
      name={name}
      value={chosen}
      onChange={({ target }) => {
        setChosen(target.value);
        onChange?.(target.value);
      }}
    >
      <option value="">{none}</option>
      {chosen !== '' && !plan && (
        <option value={chosen}>
          <PlanName id={chosen} />
        </option>
      )}
      {plans.map((one) => (
        <option key={one._id} value={one._id}>
          {one.name}
        </option>
      ))}
    </SelectField>
  );
}

const isFor = (plan: Plan, product: string | null | undefined): boolean =>
  product === undefined || plan.product === null || plan.product === product;

import { useInfiniteQuery } from '@tanstack/react-query';
import { unlessGone } from '../api/api-error.js';
import { api } from '../api/client.js';
import { rowsOf } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';
import type { Plan } from '../api/types.js';
import { plans as names, terms } from '../licenses/license-texts.js';
import { ConfirmationButton } from '../shared/confirmation.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { Empty } from '../shared/empty.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { ShowMore } from '../shared/show-more.js';
import { texts } from '../texts.js';
import { NewPlan } from './new-plan.js';
import { plansQuery } from './plan-queries.js';

const COLUMNS: readonly Column<Plan>[] = [
  { name: names.name, cell: ({ name }) => name, card: 'head' },
  { name: names.term, cell: (plan) => texts.term(plan), isShort: true },
  {
    name: terms.maxMachines,
    cell: ({ maxMachines }) => maxMachines.toLocaleString('en'),
    isShort: true,
  },
  {
    name: terms.entitlements,
    cell: ({ entitlements }) => entitlements.join(', ') || texts.none,
  },
  {
    name: texts.overview.action,
    cell: (plan) => <DeletePlan plan={plan} />,
    operation: 'deletePlan',
    isShort: true,
  },
];

/** The plans that licenses are issued from. */
export function PlansPage() {
  const plans = useInfiniteQuery(plansQuery());
  return (
    <Page title={names.title} actions={<NewPlan />}>
      <Loaded query={plans}>
        {(pages) =>
          rowsOf(pages).length > 0 ? (
            <DataTable caption={names.title} columns={COLUMNS} rows={rowsOf(pages)} />
          ) : (
            <Empty title={names.none} details={names.noneDetails} />
          )
        }
      </Loaded>
      <ShowMore query={plans} />
    </Page>
  );
}

interface Props {
  readonly plan: Plan;
}

function DeletePlan({ plan: { _id: id, name } }: Props) {
  return (
    <ConfirmationButton
      operation="deletePlan"
      label={names.delete}
      name={`${names.delete} ${name}`}
      title={names.deleteTitle(name)}
      details={names.deleteDetails}
      isDangerous
      run={() => unlessGone(bodyOf(api.DELETE('/plans/{id}', { params: { path: { id } } })))}
      done={texts.deleted(name)}
    />
  );
}

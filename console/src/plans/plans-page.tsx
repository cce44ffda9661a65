import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { unlessGone } from '../api/api-error.js';
import { api } from '../api/client.js';
import { rowsOf } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';
import type { ListedPlan, Plan } from '../api/types.js';
import { plans as names, seats, terms } from '../licenses/license-texts.js';
import { NewLicense } from '../projects/new-license.js';
import { ConfirmationForm } from '../shared/confirmation.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { Empty } from '../shared/empty.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { ActionMenu } from '../shared/ui/action-menu.js';
import { ShowMore } from '../shared/show-more.js';
import { texts } from '../texts.js';
import { NewPlan, PlanForm } from './plan-form.js';
import { countedPlansQuery } from './plan-queries.js';

const COLUMNS: readonly Column<ListedPlan>[] = [
  { name: names.name, cell: ({ name }) => name, card: 'head' },
  { name: names.term, cell: (plan) => texts.term(plan), isShort: true },
  {
    name: terms.maxMachines,
    cell: ({ maxMachines, leaseSeconds }) =>
      maxMachines.toLocaleString('en') + (leaseSeconds === null ? '' : `, ${seats.floating}`),
    isShort: true,
  },
  {
    name: terms.entitlements,
    cell: ({ entitlements }) => entitlements.join(', ') || texts.none,
  },
  { name: texts.projects.product, cell: ({ product }) => product ?? names.anyProduct },
  {
    name: names.licenses,
    cell: ({ _id: plan, name, licensesCount = 0 }) => (
      <Link to="/licenses" search={{ plan }} aria-label={names.showOf(licensesCount, name)}>
        {licensesCount.toLocaleString('en')}
      </Link>
    ),
    isShort: true,
  },
  {
    name: texts.overview.action,
    cell: (plan) => (
      <NewLicense plan={plan} label={names.issue} name={names.issueOf(plan.name)} isPlain />
    ),
    operation: 'createProject',
    isShort: true,
    card: 'plain',
  },
];

/** The plans that licenses are issued from. */
export function PlansPage() {
  const plans = useInfiniteQuery(countedPlansQuery());
  return (
    <Page title={names.title} actions={<NewPlan />}>
      <Loaded query={plans}>
        {(pages) =>
          rowsOf(pages).length > 0 ? (
            <DataTable caption={names.title} columns={COLUMNS} rows={rowsOf(pages)} menu={menuOf} />
          ) : (
            <Empty title={names.none} details={names.noneDetails} />
          )
        }
      </Loaded>
      <ShowMore query={plans} />
    </Page>
  );
}

const menuOf = (plan: Plan) => (
  <ActionMenu
    label={texts.actionsFor(plan.name)}
    actions={[
      {
        label: names.edit,
        operation: 'updatePlan',
        dialog: {
          title: names.editTitle(plan.name),
          content: (close) => <PlanForm plan={plan} onClose={close} />,
        },
      },
      {
        label: names.delete,
        operation: 'deletePlan',
        dialog: {
          title: names.deleteTitle(plan.name),
          content: (close) => (
            <ConfirmationForm
              submit={names.delete}
              details={names.deleteDetails}
              isDangerous
              run={() => deletePlan(plan._id)}
              done={texts.deleted(plan.name)}
              onClose={close}
            />
          ),
        },
      },
    ]}
  />
);

const deletePlan = (id: string) =>
  unlessGone(bodyOf(api.DELETE('/plans/{id}', { params: { path: { id } } })));

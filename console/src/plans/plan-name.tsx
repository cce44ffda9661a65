import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { rowsOf } from '../api/pages.js';
import { texts } from '../texts.js';
import { planQuery, plansQuery } from './plan-queries.js';

/** The name of a plan. The first page of plans usually includes it, so a whole list of licenses needs one request. */
export function PlanName({ id }: { readonly id: string }) {
  const plans = useInfiniteQuery(plansQuery());
  const listed = plans.data && rowsOf(plans.data).find(({ _id }) => _id === id);
  const plan = useQuery({ ...planQuery(id), enabled: plans.isFetched && !listed });
  return <>{(listed ?? plan.data)?.name ?? (plan.error ? texts.none : texts.loading)}</>;
}

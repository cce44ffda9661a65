import type { Plan } from '../api/types.js';
import { seats, updates } from '../licenses/license-texts.js';
import { texts } from '../texts.js';

const { floating } = seats;

/** The terms of a plan in one line, such as "2 years · 5 seats · export.pdf". */
export const termsOfPlan = (plan: Plan): string =>
  [
    texts.term(plan),
    seats.count(plan.maxMachines) + (plan.leaseSeconds === null ? '' : `, ${floating}`),
    plan.updatesDays !== null && updates.forCount(plan.updatesDays),
    plan.services.join(', '),
    plan.entitlements.join(', '),
  ]
    .filter(Boolean)
    .join(' · ');

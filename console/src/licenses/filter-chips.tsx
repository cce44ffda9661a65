import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { clientQuery } from '../clients/client-queries.js';
import { planQuery } from '../plans/plan-queries.js';
import { projectQuery } from '../projects/project-queries.js';
import { formatDate } from '../shared/time-format.js';
import { texts } from '../texts.js';
import {
  DAYS,
  endingNextMonth,
  endingWithin,
  type LicenseFilter,
  statusesOf,
} from './license-filter.js';
import { finding, terms } from './license-texts.js';
import styles from './license-filters.module.css';

const { licenses: names } = texts;

interface Props {
  readonly filter: LicenseFilter;
  /** The button after the chips. */
  readonly children: ReactNode;
}

/** The active filters, each with a button to remove it. If there are none, links to common filters. */
export function FilterChips({ filter, children }: Props) {
  const { sort: _sort, order: _order, ...conditions } = filter;
  const all = useLabels(filter).filter(([name]) => name in conditions);
  if (all.length === 0) return <Views>{children}</Views>;
  return (
    <ul className={styles.chips}>
      {all.map(([name, label]) => {
        const { [name]: _removed, ...others } = filter;
        return (
          <li key={name}>
            <Link
              to="/licenses"
              search={others}
              className={styles.chip}
              aria-label={finding.remove(label)}
            >
              <span dir="auto">{label}</span>
              <X size={14} aria-hidden />
            </Link>
          </li>
        );
      })}
      <li>
        <Link to="/licenses" className={styles.chip}>
          {names.clear}
        </Link>
      </li>
      <li>{children}</li>
    </ul>
  );
}

/** Each active filter, as text. */
function useLabels(filter: LicenseFilter): [keyof LicenseFilter, string][] {
  const { clientId, projectId, product, plan } = filter;
  const client = useQuery({ ...clientQuery(clientId ?? ''), enabled: clientId !== undefined });
  const project = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== undefined });
  const named = useQuery({ ...planQuery(plan ?? ''), enabled: plan !== undefined });
  return [
    [
      'status',
      statusesOf(filter)
        .map((one) => names.status[one])
        .join(', '),
    ],
    ['clientId', client.data?.name ?? texts.clients.client],
    ['projectId', project.data?.name ?? texts.projects.project],
    ['product', product ?? ''],
    ['plan', `${terms.plan}: ${named.data?.name ?? texts.none}`],
    ...DAYS.map((name): [keyof LicenseFilter, string] => [
      name,
      `${names[name]} ${filter[name] ? formatDate(`${filter[name]}T00:00`) : ''}`,
    ]),
  ];
}

/** Links to common filters. */
function Views({ children }: { readonly children: ReactNode }) {
  const now = new Date();
  return (
    <ul className={styles.chips}>
      <li>
        <Link to="/licenses" search={endingWithin(30, now)} className={styles.chip}>
          {names.within30}
        </Link>
      </li>
      <li>
        <Link to="/licenses" search={endingNextMonth(now)} className={styles.chip}>
          {names.nextMonth}
        </Link>
      </li>
      <li>
        <Link
          to="/licenses"
          search={{ status: 'EXPIRED', sort: 'expiresAt' }}
          className={styles.chip}
        >
          {names.status.EXPIRED}
        </Link>
      </li>
      <li>{children}</li>
    </ul>
  );
}

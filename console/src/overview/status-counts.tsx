import { Link } from '@tanstack/react-router';
import type { Summary } from '../api/types.js';
import { STATUSES } from '../licenses/license-filter.js';
import { StatusBadge } from '../shared/status-badge.js';
import { texts } from '../texts.js';
import styles from './status-counts.module.css';
import { VisuallyHidden } from '../shared/ui/visually-hidden.js';

interface Props {
  readonly counts: Summary['licensesByStatus'];
}

/** The number of licenses in each status, linked to the list. */
export function StatusCounts({ counts }: Props) {
  return (
    <section aria-label={texts.overview.byStatus}>
      <h2>
        <VisuallyHidden>{texts.overview.byStatus}</VisuallyHidden>
      </h2>
      <ul className={styles.counts}>
        {STATUSES.map((status) => (
          <li key={status}>
            <Link to="/licenses" search={{ status }}>
              <span className={styles.number}>{counts[status].toLocaleString('en')}</span>
              <span>
                <StatusBadge status={status} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

import { Link, useNavigate } from '@tanstack/react-router';
import * as inputs from '../api/inputs.js';
import { ClientChoice } from '../clients/client-choice.js';
import { SelectField } from '../shared/fields.js';
import { Panel } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { FilterField } from './filter-field.js';
import {
  endingNextMonth,
  endingWithin,
  type LicenseFilter,
  STATUSES,
  toLicenseFilter,
} from './license-filter.js';
import { ProjectFilter } from './project-filter.js';
import styles from './license-filters.module.css';

const { licenses: names } = texts;

interface Props {
  readonly filter: LicenseFilter;
  readonly onUnknownClient: (isUnknown: boolean) => void;
}

/** The filters of the list. Each change is a new address, so a view can be shared and Back leaves it. */
export function LicenseFilters({ filter, onUnknownClient }: Props) {
  const navigate = useNavigate({ from: '/licenses' });
  const change = (changes: Partial<Record<keyof LicenseFilter, string | undefined>>) =>
    void navigate({ search: toLicenseFilter({ ...filter, ...changes }) });
  return (
    <Panel label={names.filters}>
      <Views isFiltered={Object.keys(filter).length > 0} />
      <div className={styles.fields}>
        <SelectField
          label={names.statusLabel}
          name="status"
          value={filter.status ?? ''}
          onChange={(event) => change({ status: event.target.value })}
        >
          <option value="">{names.any}</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {names.status[status]}
            </option>
          ))}
        </SelectField>
        <ClientChoice
          clientId={filter.clientId}
          placeholder={names.any}
          onUnknown={onUnknownClient}
          onChange={(client) => change({ clientId: client?._id, projectId: undefined })}
        />
        <ProjectFilter
          clientId={filter.clientId}
          projectId={filter.projectId}
          onChange={(projectId) => change({ projectId })}
        />
        <FilterField
          label={texts.projects.product}
          {...inputs.listLicenses.product}
          value={filter.product ?? ''}
          placeholder={names.any}
          onCommit={(product) => change({ product })}
        />
        <FilterField
          label={names.expiresAfter}
          name="expiresAfter"
          type="date"
          value={filter.expiresAfter ?? ''}
          max="9999-12-31"
          onCommit={(expiresAfter) => change({ expiresAfter })}
        />
        <FilterField
          label={names.expiresBefore}
          name="expiresBefore"
          type="date"
          value={filter.expiresBefore ?? ''}
          max="9999-12-31"
          onCommit={(expiresBefore) => change({ expiresBefore })}
        />
      </div>
    </Panel>
  );
}

/** Links to common filters. */
function Views({ isFiltered }: { readonly isFiltered: boolean }) {
  const now = new Date();
  return (
    <ul className={styles.views}>
      <li>
        <Link to="/licenses" search={endingWithin(30, now)}>
          {names.within30}
        </Link>
      </li>
      <li>
        <Link to="/licenses" search={endingNextMonth(now)}>
          {names.nextMonth}
        </Link>
      </li>
      <li>
        <Link to="/licenses" search={{ status: 'EXPIRED', sort: 'expiresAt' }}>
          {names.status.EXPIRED}
        </Link>
      </li>
      {isFiltered && (
        <li>
          <Link to="/licenses">{names.clear}</Link>
        </li>
      )}
    </ul>
  );
}

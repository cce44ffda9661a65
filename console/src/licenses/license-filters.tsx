import { Link, useNavigate } from '@tanstack/react-router';
import * as inputs from '../api/inputs.js';
import { SelectField } from '../shared/fields.js';
import { texts } from '../texts.js';
import { ClientFilter } from './client-filter.js';
import { FilterField } from './filter-field.js';
import { type LicenseFilter, STATUSES, toLicenseFilter } from './license-filter.js';
import { ProjectFilter } from './project-filter.js';

const { licenses: names } = texts;

/** The filters of the list. Each change is a new address, so that a view can be shared, and left by going back. */
export function LicenseFilters({ filter }: { readonly filter: LicenseFilter }) {
  const navigate = useNavigate({ from: '/licenses' });
  const change = (changes: Partial<Record<keyof LicenseFilter, string | undefined>>) =>
    void navigate({ search: toLicenseFilter({ ...filter, ...changes }) });
  return (
    <section className="panel" aria-label={names.filters}>
      <div className="filters">
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
        <ClientFilter
          clientId={filter.clientId}
          onChange={(clientId) => change({ clientId, projectId: undefined })}
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
          label={names.expiresBefore}
          name="expiresBefore"
          type="date"
          value={filter.expiresBefore ?? ''}
          max="9999-12-31"
          onCommit={(expiresBefore) => change({ expiresBefore })}
        />
        <SelectField
          label={names.sort}
          name="sort"
          value={filter.sort ?? ''}
          onChange={(event) => change({ sort: event.target.value })}
        >
          <option value="">{names.newestFirst}</option>
          <option value="expiresAt">{names.expiresFirst}</option>
        </SelectField>
      </div>
      {Object.keys(filter).length > 0 && (
        <p>
          <Link to="/licenses">{names.clear}</Link>
        </p>
      )}
    </section>
  );
}

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ClientChoice } from '../clients/client-choice.js';
import { useProducts } from '../integrate/use-products.js';
import { PlanField } from '../plans/plan-field.js';
import { SelectField } from '../shared/fields.js';
import { Panel } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { FilterChips } from './filter-chips.js';
import { FilterField } from './filter-field.js';
import { DAYS, type LicenseFilter, STATUSES, toLicenseFilter } from './license-filter.js';
import { LicenseSearch } from './license-search.js';
import { ProjectFilter } from './project-filter.js';
import styles from './license-filters.module.css';

const { licenses: names } = texts;

interface Props {
  readonly filter: LicenseFilter;
  readonly searched: string;
  readonly onSearch: (text: string) => void;
  readonly onUnknownClient: (isUnknown: boolean) => void;
}

/** The search and the filters of the list, on one line until all of them are shown. */
export function LicenseFilters({ filter, searched, onSearch, onUnknownClient }: Props) {
  const [isOpen, setOpen] = useState(false);
  // A search finds licenses whatever the filters are.
  const isSearch = searched.trim() !== '';
  return (
    <>
      <div className={styles.bar}>
        <LicenseSearch text={searched} onChange={onSearch} />
        {!isSearch && (
          <FilterChips filter={filter}>
            <button
              type="button"
              className={styles.button}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {names.filters}
            </button>
          </FilterChips>
        )}
      </div>
      {isOpen && !isSearch && <Fields filter={filter} onUnknownClient={onUnknownClient} />}
    </>
  );
}

type FieldsProps = Pick<Props, 'filter' | 'onUnknownClient'>;

/** All filters. Each change is a new address, so a view can be shared and Back leaves it. */
function Fields({ filter, onUnknownClient }: FieldsProps) {
  const navigate = useNavigate({ from: '/licenses' });
  const change = (changes: Partial<Record<keyof LicenseFilter, string | undefined>>) =>
    void navigate({ search: toLicenseFilter({ ...filter, ...changes }) });
  const known = useProducts().data ?? [];
  const products = [...new Set([...(filter.product ? [filter.product] : []), ...known])];
  return (
    <Panel label={names.filters}>
      <div className={styles.fields}>
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
        <SelectField
          label={texts.projects.product}
          name="product"
          value={filter.product ?? ''}
          onChange={({ target }) => change({ product: target.value })}
        >
          <option value="">{names.any}</option>
          {products.map((product) => (
            <option key={product} value={product}>
              {product}
            </option>
          ))}
        </SelectField>
        <PlanField
          key={filter.plan}
          name="plan"
          none={names.any}
          initial={filter.plan}
          onChange={(plan) => change({ plan })}
        />
        {DAYS.map((name) => (
          <FilterField
            key={name}
            label={names[name]}
            name={name}
            type="date"
            value={filter[name] ?? ''}
            max="9999-12-31"
            onCommit={(day) => change({ [name]: day })}
          />
        ))}
      </div>
    </Panel>
  );
}

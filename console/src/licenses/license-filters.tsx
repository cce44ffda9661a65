import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ClientChoice } from '../clients/client-choice.js';
import { useProducts } from '../integrate/use-products.js';
import { PlanField } from '../plans/plan-field.js';
import type { LicenseStatus } from '../api/types.js';
import { Checkbox, FieldGroup, SelectField } from '../shared/fields.js';
import { Checkboxes } from '../shared/ui/checkboxes.js';
import { Panel } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { FilterChips } from './filter-chips.js';
import { FilterField } from './filter-field.js';
import {
  DAYS,
  type LicenseFilter,
  STATUSES,
  statusesOf,
  toLicenseFilter,
} from './license-filter.js';
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
  // A search ignores the filters.
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

/** All filters. Each change gets its own URL, so views can be shared and Back works. */
function Fields({ filter, onUnknownClient }: FieldsProps) {
  const navigate = useNavigate({ from: '/licenses' });
  const change = (changes: Partial<Record<keyof LicenseFilter, string | undefined>>) =>
    void navigate({ search: toLicenseFilter({ ...filter, ...changes }) });
  const known = useProducts().data ?? [];
  const products = [...new Set([...(filter.product ? [filter.product] : []), ...known])];
  return (
    <Panel label={names.filters}>
      <StatusField
        statuses={statusesOf(filter)}
        onChange={(statuses) => change({ status: statuses.join() })}
      />
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

interface StatusProps {
  readonly statuses: readonly LicenseStatus[];
  readonly onChange: (statuses: readonly LicenseStatus[]) => void;
}

/** Chooses any number of statuses. No choice means all. */
const StatusField = ({ statuses, onChange }: StatusProps) => (
  <FieldGroup label={names.statusLabel} name="status">
    <Checkboxes>
      {STATUSES.map((status) => (
        <Checkbox
          key={status}
          label={names.status[status]}
          checked={statuses.includes(status)}
          onChange={({ target }) =>
            onChange(
              target.checked ? [...statuses, status] : statuses.filter((one) => one !== status),
            )
          }
        />
      ))}
    </Checkboxes>
  </FieldGroup>
);

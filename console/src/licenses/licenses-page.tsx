import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { rowsOf } from '../api/pages.js';
import { queryClient } from '../api/query-client.js';
import { useMay } from '../api/use-may.js';
import { TAKES_IMPORTS } from '../shared/deployment.js';
import buttons from '../shared/ui/button.module.css';
import { Empty } from '../shared/empty.js';
import { ListStatus } from '../shared/list-status.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { ShowMore } from '../shared/show-more.js';
import { sortingOf } from '../shared/sorting.js';
import { texts } from '../texts.js';
import { NewLicense } from '../projects/new-license.js';
import { projectQuery } from '../projects/project-queries.js';
import { ExportLicenses } from './export-licenses.js';
import { type LicenseFilter, toLicenseFilter } from './license-filter.js';
import { licensesQuery, licensesTotalQuery, readAllLicenses } from './license-queries.js';
import { LicenseSearchResults } from './license-search.js';
import { LicenseFilters } from './license-filters.js';
import { LicenseTable } from './license-table.js';

export function LicensesPage() {
  const filter = useSearch({ from: '/member/licenses' });
  const may = useMay();
  const navigate = useNavigate({ from: '/licenses' });
  const { sort = 'createdAt', order = 'desc', ...conditions } = filter;
  const sorting = sortingOf(
    { sort, order },
    {
      filterOf: (sorted) => toLicenseFilter({ ...filter, ...sorted }),
      show: (search) => void navigate({ search }),
      preload: (next) => void queryClient.prefetchInfiniteQuery(licensesQuery(next)),
    },
  );
  const licenses = useInfiniteQuery(licensesQuery(filter));
  // A list that is loaded completely has counted itself.
  const { data: total } = useQuery({
    ...licensesTotalQuery(filter),
    enabled: licenses.hasNextPage && !licenses.isPlaceholderData,
  });
  const { projectId } = filter;
  const project = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== undefined });
  const [isClientUnknown, setClientUnknown] = useState(false);
  const [searched, setSearched] = useState('');
  const isFiltered = Object.keys(conditions).length > 0;
  return (
    <Page
      title={texts.licenses.title}
      actions={
        <>
          <NewLicense project={project.data} clientId={filter.clientId} />
          {TAKES_IMPORTS && may('importLicenses') && (
            <Link to="/licenses/import" className={buttons.link}>
              {texts.licenses.import}
            </Link>
          )}
          <ExportLicenses filter={filter} />
        </>
      }
    >
      <LicenseFilters
        filter={filter}
        searched={searched}
        onSearch={setSearched}
        onUnknownClient={setClientUnknown}
      />
      {searched.trim() !== '' ? (
        <LicenseSearchResults text={searched} />
      ) : isClientUnknown ? (
        <Empty title={texts.clients.notFound} />
      ) : (
        <>
          <ListStatus noun={texts.licenses.noun} query={licenses} total={total} />
          <Loaded query={licenses}>
            {(pages) => {
              const rows = rowsOf(pages);
              if (rows.length === 0) {
                const { notFound, none, noneDetails } = texts.licenses;
                return isFiltered ? (
                  <Empty title={notFound} />
                ) : (
                  <Empty title={none} details={noneDetails} operation="createProject">
                    <NewLicense />
                  </Empty>
                );
              }
              return (
                <LicenseTable
                  caption={texts.licenses.title}
                  licenses={rows}
                  of="all"
                  sorting={sorting}
                  everything={everythingOf(filter, total)}
                />
              );
            }}
          </Loaded>
          <ShowMore query={licenses} />
        </>
      )}
    </Page>
  );
}

/** Maximum number of licenses to select at once. */
const MAX_SELECTED = 10_000;

const everythingOf = (filter: LicenseFilter, total = 0) =>
  total <= MAX_SELECTED
    ? { list: JSON.stringify(filter), total, load: () => readAllLicenses(filter) }
    : undefined;

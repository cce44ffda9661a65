import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { rowsOf } from '../api/pages.js';
import { Empty } from '../shared/empty.js';
import { ListStatus } from '../shared/list-status.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { ShowMore } from '../shared/show-more.js';
import { texts } from '../texts.js';
import { licensesQuery } from './license-queries.js';
import { LicenseFilters } from './license-filters.js';
import { LicenseTable } from './license-table.js';
import { NoLicenses } from './no-licenses.js';

export function LicensesPage() {
  const filter = useSearch({ from: '/member/licenses' });
  const licenses = useInfiniteQuery(licensesQuery(filter));
  const { sort, ...conditions } = filter;
  const isFiltered = Object.keys(conditions).length > 0;
  return (
    <Page title={texts.licenses.title}>
      <LicenseFilters filter={filter} />
      <ListStatus query={licenses} count={licenses.data && rowsOf(licenses.data).length} />
      <Loaded query={licenses}>
        {(pages) => {
          const rows = rowsOf(pages);
          if (rows.length > 0) {
            return <LicenseTable caption={texts.licenses.title} licenses={rows} of="all" />;
          }
          return isFiltered ? <Empty title={texts.licenses.notFound} /> : <NoLicenses />;
        }}
      </Loaded>
      <ShowMore query={licenses} />
    </Page>
  );
}

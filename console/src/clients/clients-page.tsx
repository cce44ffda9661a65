import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import * as inputs from '../api/inputs.js';
import { rowsOf } from '../api/pages.js';
import { queryClient } from '../api/query-client.js';
import type { ListedClient } from '../api/types.js';
import { type Column, DataTable, ROW_LINK } from '../shared/data-table.js';
import { Empty } from '../shared/empty.js';
import type { Sorting } from '../shared/header-cell.js';
import { ListStatus } from '../shared/list-status.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { SearchField } from '../shared/search-field.js';
import { ShowMore } from '../shared/show-more.js';
import { firstOrderOf, sortingOf } from '../shared/sorting.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { toClientFilter } from './client-filter.js';
import { countedClientsQuery } from './client-queries.js';
import { NewClient } from './new-client.js';

const COLUMNS: readonly Column<ListedClient>[] = [
  {
    name: texts.clients.name,
    cell: ({ _id, name }) => (
      <Link to="/clients/$id" params={{ id: _id }} className={ROW_LINK}>
        {name}
      </Link>
    ),
    card: 'head',
    sort: 'name',
  },
  { name: texts.clients.email, cell: ({ email }) => email, card: 'plain' },
  {
    name: texts.licenses.title,
    cell: ({ _id: clientId, name, licensesCount = 0 }) =>
      licensesCount > 0 ? (
        <Link
          to="/licenses"
          search={{ clientId }}
          aria-label={texts.clients.licensesOf(licensesCount, name)}
        >
          {licensesCount.toLocaleString('en')}
        </Link>
      ) : (
        licensesCount
      ),
    isShort: true,
  },
  {
    name: texts.clients.since,
    cell: ({ createdAt }) => <Time at={createdAt} withTime={false} />,
    sort: 'createdAt',
    isShort: true,
  },
];

export function ClientsPage() {
  const filter = useSearch({ from: '/member/clients' });
  const { search, sort = 'createdAt', order = firstOrderOf(sort) } = filter;
  const navigate = useNavigate({ from: '/clients' });
  const clients = useInfiniteQuery(countedClientsQuery(filter));
  const sorting = sortingOf(
    { sort, order },
    {
      filterOf: (sorted) => toClientFilter({ ...filter, ...sorted }),
      show: (next) => void navigate({ search: next }),
      preload: (next) => void queryClient.prefetchInfiniteQuery(countedClientsQuery(next)),
    },
  );
  return (
    <Page title={texts.clients.title} actions={<NewClient />}>
      <SearchField
        limits={inputs.listClients.search}
        hint={texts.clients.searchHint}
        initial={search ?? ''}
        onSearch={(text) =>
          void navigate({ search: toClientFilter({ ...filter, search: text }), replace: true })
        }
      />
      <ListStatus noun={texts.clients.noun} query={clients} />
      <Loaded query={clients}>
        {(pages) => (
          <ClientList clients={rowsOf(pages)} sorting={sorting} isSearch={search !== undefined} />
        )}
      </Loaded>
      <ShowMore query={clients} />
    </Page>
  );
}

interface ListProps {
  readonly clients: readonly ListedClient[];
  readonly sorting: Sorting;
  readonly isSearch: boolean;
}

function ClientList({ clients, sorting, isSearch }: ListProps) {
  const { title } = texts.clients;
  if (clients.length > 0) {
    return <DataTable caption={title} columns={COLUMNS} rows={clients} sorting={sorting} />;
  }
  const { none, noneDetails, notFound, notFoundDetails } = texts.clients;
  return isSearch ? (
    <Empty title={notFound} details={notFoundDetails} />
  ) : (
    <Empty title={none} details={noneDetails} operation="createClient" />
  );
}

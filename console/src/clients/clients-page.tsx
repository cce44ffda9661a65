import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import * as inputs from '../api/inputs.js';
import { rowsOf } from '../api/pages.js';
import { queryClient } from '../api/query-client.js';
import type { ListedClient } from '../api/types.js';
import { type Column, DataTable, ROW_LINK } from '../shared/data-table.js';
import { Empty } from '../shared/empty.js';
import { ListStatus } from '../shared/list-status.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { SearchField } from '../shared/search-field.js';
import { ShowMore } from '../shared/show-more.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { type ClientFilter, toClientFilter } from './client-filter.js';
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
  const { search } = filter;
  const navigate = useNavigate({ from: '/clients' });
  const clients = useInfiniteQuery(countedClientsQuery(filter));
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
        {(pages) => <ClientList clients={rowsOf(pages)} filter={filter} />}
      </Loaded>
      <ShowMore query={clients} />
    </Page>
  );
}

interface ListProps {
  readonly clients: readonly ListedClient[];
  readonly filter: ClientFilter;
}

function ClientList({ clients, filter }: ListProps) {
  const sorting = useSorting(filter);
  const { title } = texts.clients;
  if (clients.length > 0) {
    return <DataTable caption={title} columns={COLUMNS} rows={clients} sorting={sorting} />;
  }
  const { none, noneDetails, notFound, notFoundDetails } = texts.clients;
  return filter.search !== undefined ? (
    <Empty title={notFound} details={notFoundDetails} />
  ) : (
    <Empty title={none} details={noneDetails} operation="createClient" />
  );
}

/** Sorts by a column: A to Z, or newest first. The same column again reverses the order. */
function useSorting(filter: ClientFilter) {
  const navigate = useNavigate({ from: '/clients' });
  const by = filter.sort ?? 'createdAt';
  const order = filter.order ?? firstOrderOf(by);
  const sortedBy = (sort: string) => {
    const other = order === 'asc' ? 'desc' : 'asc';
    const next = { sort, order: sort === by ? other : firstOrderOf(sort) };
    return toClientFilter({ ...filter, ...next });
  };
  const onChange = (sort: string) => void navigate({ search: sortedBy(sort) });
  const preload = (sort: string) =>
    void queryClient.prefetchInfiniteQuery(countedClientsQuery(sortedBy(sort)));
  return { by, order, onChange, preload } as const;
}

const firstOrderOf = (sort: string) => (sort === 'name' ? 'asc' : 'desc');

import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { unlessGone } from '../api/api-error.js';
import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { rowsOf } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';
import type { BinEntry } from '../api/types.js';
import { ConfirmationButton, ConfirmationForm } from '../shared/confirmation.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { Empty } from '../shared/empty.js';
import { ListStatus } from '../shared/list-status.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { SearchField } from '../shared/search-field.js';
import { ShowMore } from '../shared/show-more.js';
import { Time } from '../shared/time.js';
import { ActionMenu } from '../shared/ui/action-menu.js';
import { texts } from '../texts.js';
import { binQuery, restore } from './bin-queries.js';
import { bin as names } from './bin-texts.js';

const COLUMNS: readonly Column<BinEntry>[] = [
  { name: names.name, cell: ({ name }) => name, card: 'head' },
  { name: names.kind, cell: names.kindOf, card: 'plain' },
  {
    name: names.deletedAt,
    cell: ({ deletedAt }) => <Time at={deletedAt} />,
    isShort: true,
  },
  { name: names.deletedBy, cell: ({ deletedBy }) => deletedBy.name ?? texts.none },
  {
    name: names.erasedAt,
    cell: ({ erasedAt }) => <Time at={erasedAt} withTime={false} />,
    isShort: true,
  },
  {
    name: texts.overview.action,
    cell: (entry) => <Restore entry={entry} />,
    operation: 'restore',
    isShort: true,
    card: 'plain',
  },
];

/** The deleted records that can be restored. */
export function BinPage() {
  const { search } = useSearch({ from: '/member/account/deleted' });
  const navigate = useNavigate({ from: '/account/deleted' });
  const entries = useInfiniteQuery(binQuery(search));
  const isSearch = search !== undefined;
  return (
    <Page title={names.title}>
      <p>{names.details}</p>
      <SearchField
        limits={inputs.listBin.search}
        hint={names.searchHint}
        initial={search ?? ''}
        onSearch={(text) =>
          void navigate({ search: text === '' ? {} : { search: text }, replace: true })
        }
      />
      <ListStatus noun={names.noun} query={entries} />
      <Loaded query={entries}>
        {(pages) =>
          rowsOf(pages).length > 0 ? (
            <DataTable caption={names.title} columns={COLUMNS} rows={rowsOf(pages)} menu={menuOf} />
          ) : (
            <Empty
              title={isSearch ? names.notFound : names.none}
              details={isSearch ? names.notFoundDetails : names.noneDetails}
            />
          )
        }
      </Loaded>
      <ShowMore query={entries} />
    </Page>
  );
}

const Restore = ({ entry: { _id, kind, name } }: { readonly entry: BinEntry }) => (
  <ConfirmationButton
    operation="restore"
    label={names.restore}
    name={`${names.restore} ${name}`}
    title={names.restoreTitle(name)}
    details={names.restoreDetails[kind]}
    run={(key) => restore(_id, key)}
    done={texts.restored(name)}
  />
);

const menuOf = ({ _id, name }: BinEntry) => (
  <ActionMenu
    label={texts.actionsFor(name)}
    actions={[
      {
        label: names.erase,
        operation: 'eraseFromBin',
        dialog: {
          title: names.eraseTitle(name),
          content: (close) => (
            <ConfirmationForm
              submit={names.erase}
              details={names.eraseDetails}
              isDangerous
              run={() => erase(_id)}
              done={texts.erased(name)}
              onClose={close}
            />
          ),
        },
      },
    ]}
  />
);

const erase = (id: string) =>
  unlessGone(bodyOf(api.DELETE('/bin/{id}', { params: { path: { id } } })));

import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import * as inputs from '../api/inputs.js';
import { rowsOf } from '../api/pages.js';
import type { License } from '../api/types.js';
import { Empty } from '../shared/empty.js';
import { ListStatus } from '../shared/list-status.js';
import { Loaded } from '../shared/loaded.js';
import { SearchField } from '../shared/search-field.js';
import { ShowMore } from '../shared/show-more.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel } from '../shared/ui/panel.js';
import { machinesQuery } from './license-queries.js';
import { machines as names, seats } from './license-texts.js';
import { MachineTable } from './machine-table.js';

/** Up to this many machines need no search. */
const FEW = 10;

/** The machines that hold a seat on a license. */
export function LicenseMachines({ license }: { readonly license: License }) {
  const { search } = useSearch({ from: '/member/licenses/$id' });
  const navigate = useNavigate({ from: '/licenses/$id' });
  const machines = useInfiniteQuery(machinesQuery(license._id, search));
  const isSearch = search !== undefined;
  return (
    <Panel label={names.title}>
      <h2>{names.title}</h2>
      {license.status !== 'REVOKED' && <Muted>{seats.seatsInUse(license)}</Muted>}
      {(isSearch || license.machinesCount > FEW) && (
        <>
          <SearchField
            limits={inputs.listMachines.search}
            hint={names.searchHint}
            initial={search ?? ''}
            onSearch={(text) =>
              void navigate({
                search: text === '' ? {} : { search: text },
                replace: true,
                resetScroll: false,
              })
            }
          />
          <ListStatus noun={names.noun} query={machines} />
        </>
      )}
      <Loaded query={machines}>
        {(pages) => {
          const rows = rowsOf(pages);
          if (rows.length > 0) return <MachineTable license={license} machines={rows} />;
          if (isSearch) return <Empty title={names.notFound} />;
          return license.status === 'PENDING' && <p>{names.none}</p>;
        }}
      </Loaded>
      <ShowMore query={machines} />
    </Panel>
  );
}

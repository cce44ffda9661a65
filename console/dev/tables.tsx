import { useState } from 'react';
import { NoResponse } from '../src/api/api-error.js';
import { type Column, DataTable } from '../src/shared/data-table.js';
import { Empty } from '../src/shared/empty.js';
import { Loaded } from '../src/shared/loaded.js';
import { StatusBadge } from '../src/shared/status-badge.js';
import { Time } from '../src/shared/time.js';
import { ActionMenu } from '../src/shared/ui/action-menu.js';
import { ACTIONS } from './actions.js';
import { Part } from './part.js';

interface Row {
  readonly _id: string;
  readonly name: string;
}

const ROWS: readonly Row[] = [
  { _id: '1', name: 'Acme Ltd' },
  { _id: '2', name: `com.example.${'enterprise-edition.'.repeat(12)}` },
];

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Name', cell: ({ name }) => name, sort: 'name', card: 'head' },
  { name: 'Status', cell: () => <StatusBadge status="ACTIVE" />, isShort: true },
  { name: 'Created', cell: () => <Time at="2026-01-31T10:15:00.000Z" />, isShort: true },
  { name: 'Note', cell: () => 'Hidden at first', visibility: 'optional' },
];

const STATES = [
  ['A table', { data: ROWS, error: null }],
  ['An empty table', { data: [], error: null }],
  ['A loading table', { data: undefined, error: null }],
  ['A failed table', { data: undefined, error: new NoResponse() }],
] as const;

/** A table in each state of its query. */
export const Tables = () =>
  STATES.map(([name, query]) => (
    <Part key={name} name={name}>
      <Loaded query={{ ...query, refetch: () => undefined }}>
        {(rows) => (rows.length > 0 ? <Table rows={rows} /> : <Empty title="No rows yet" />)}
      </Loaded>
    </Part>
  ));

function Table({ rows }: { readonly rows: readonly Row[] }) {
  const [order, setOrder] = useState<'asc' | 'desc'>('asc');
  const swap = () => setOrder(order === 'asc' ? 'desc' : 'asc');
  return (
    <DataTable
      caption="A table"
      columns={COLUMNS}
      rows={order === 'asc' ? rows : rows.toReversed()}
      sorting={{ by: 'name', order, onChange: swap, preload: () => undefined }}
      menu={({ name }) => <ActionMenu label={`Actions for ${name}`} actions={ACTIONS} />}
      selection={{
        nameOf: ({ name }) => name,
        actions: () => <button type="button">Renew</button>,
      }}
    />
  );
}

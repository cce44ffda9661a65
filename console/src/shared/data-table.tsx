import {
  columnVisibilityFeature,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useCallback, useMemo } from 'react';
import { type Operation, useMay } from '../api/use-may.js';
import { texts } from '../texts.js';
import styles from './data-table.module.css';
import { nameWhatIsCut, TableRow } from './table-row.js';
import buttons from './ui/button.module.css';
import { VisuallyHidden } from './ui/visually-hidden.js';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** The operation of its buttons. Users who may not call it don't see the column. */
  readonly operation?: Operation;
  /** In rem, or as a CSS length, if the content has a known width. The other columns share the rest. */
  readonly width?: number | string | undefined;
  /** Whether it is hidden at first. */
  readonly isOptional?: boolean;
  /** The sort key, if the list can be sorted by it. */
  readonly sort?: string;
}

export interface Sorting {
  readonly by: string | undefined;
  readonly order: 'asc' | 'desc';
  readonly onChange: (by: string) => void;
}

export interface Selection<Row> {
  /** The name of a row. */
  readonly nameOf: (row: Row) => string;
  /** The actions for the selected rows. */
  readonly actions: (rows: readonly Row[], clear: () => void) => ReactNode;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly sorting?: Sorting;
  /** The actions for a row, in the last column. */
  readonly menu?: (row: Row) => ReactNode;
  /** Set if rows can be selected. */
  readonly selection?: Selection<Row>;
}

/** The class of a link that covers its whole row. */
export const ROW_LINK = styles.rowLink!;

const ColumnMenu = lazy(async () => ({
  default: (await import('./ui/column-menu.js')).ColumnMenu,
}));

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature });

/**
 * A table with one line per row. On narrow screens, rows become cards. Some browsers then drop the table semantics, so roles
 * restore them.
 */
export function DataTable<Row extends { readonly _id: string }>({
  caption,
  columns: all,
  rows,
  sorting,
  menu,
  selection,
}: Props<Row>) {
  const may = useMay();
  const byName = useMemo(() => {
    const allowed = all.filter(({ operation }) => operation === undefined || may(operation));
    return new Map(allowed.map((column) => [column.name, column]));
  }, [all, may]);
  const columns = useMemo(() => all.map(({ name }) => ({ id: name, header: name })), [all]);
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: ({ _id }) => _id,
    initialState: {
      columnVisibility: Object.fromEntries(
        all.flatMap(({ name, isOptional }) => (isOptional ? [[name, false]] : [])),
      ),
    },
  });
  const visible = table.getVisibleLeafColumns();
  const shown = useMemo(() => visible.flatMap(({ id }) => byName.get(id) ?? []), [visible, byName]);
  const selected = table.getSelectedRowModel().rows.map(({ original }) => original);
  const clear = () => table.resetRowSelection();
  const { getRow } = table;
  const onSelect = useCallback(
    (id: string, isSelected: boolean) => getRow(id).toggleSelected(isSelected),
    [getRow],
  );
  return (
    <div className={styles.region}>
      {selection && selected.length > 0 && (
        <div
          role="group"
          aria-label={texts.table.selected(selected.length)}
          className={styles.bulk}
        >
          <span>{texts.table.selected(selected.length)}</span>
          {selection.actions(selected, clear)}
          <button type="button" className={buttons.quiet} onClick={clear}>
            {texts.table.clear}
          </button>
        </div>
      )}
      <table role="table" className={styles.table}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <colgroup>
          {selection && <col className={styles.narrow} />}
          {shown.map(({ name, width }) => (
            <col key={name} style={{ width: typeof width === 'number' ? `${width}rem` : width }} />
          ))}
          {menu && <col className={styles.narrow} />}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" scope="col">
                <input
                  type="checkbox"
                  aria-label={texts.table.selectAll}
                  checked={table.getIsAllRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </th>
            )}
            {shown.map((column) => (
              <HeaderCell key={column.name} column={column} sorting={sorting} />
            ))}
            {menu && (
              <th role="columnheader" scope="col">
                <VisuallyHidden>{texts.overview.action}</VisuallyHidden>
                {all.some(({ isOptional }) => isOptional) && (
                  <Suspense fallback={null}>
                    <ColumnMenu
                      columns={table.getAllLeafColumns().filter(({ id }) => byName.has(id))}
                    />
                  </Suspense>
                )}
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <TableRow
              key={row._id}
              row={row}
              columns={shown}
              menu={menu}
              nameOf={selection?.nameOf}
              isSelected={table.state.rowSelection[row._id] === true}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeaderProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
}

function HeaderCell<Row>({ column: { name, sort }, sorting }: HeaderProps<Row>) {
  if (!sort || !sorting) {
    return (
      <th role="columnheader" scope="col" onMouseEnter={nameWhatIsCut}>
        <div className={styles.line}>{name}</div>
      </th>
    );
  }
  const isSorted = sorting.by === sort;
  const Icon = !isSorted ? ArrowUpDown : sorting.order === 'asc' ? ArrowUp : ArrowDown;
  const order = sorting.order === 'asc' ? 'ascending' : 'descending';
  return (
    <th role="columnheader" scope="col" aria-sort={isSorted ? order : 'none'}>
      <button type="button" className={styles.sort} onClick={() => sorting.onChange(sort)}>
        {name} <Icon size={14} aria-hidden />
      </button>
    </th>
  );
}

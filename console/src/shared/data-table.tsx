import { type ReactNode, useCallback, useMemo } from 'react';
import { type Operation, useMay } from '../api/use-may.js';
import { texts } from '../texts.js';
import styles from './data-table.module.css';
import { HeaderCell, type Sorting } from './header-cell.js';
import { type Selection, SelectionBar, useSelection } from './selection.js';
import { TableRow } from './table-row.js';
import { ColumnMenu } from './ui/column-menu.js';
import { VisuallyHidden } from './ui/visually-hidden.js';
import { useVisibleColumns } from './visible-columns.js';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** The operation of its buttons. Users who may not call it don't see the column. */
  readonly operation?: Operation;
  /** Whether its content is short and always shown in full; longer content is truncated with an ellipsis. */
  readonly isShort?: boolean;
  /** `optional` columns are hidden at first, `wide` ones on narrow windows, until the user shows them. */
  readonly visibility?: 'optional' | 'wide';
  /** On phones, `head` cells form the first line of a row, and the second line has `plain` cells without a label. */
  readonly card?: 'head' | 'plain' | 'none';
  /** The sort key, if the list can be sorted by it. */
  readonly sort?: string;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly sorting?: Sorting;
  /** The actions for a row, in the last column. */
  readonly menu?: (row: Row) => ReactNode;
  /** Set if rows are selectable. */
  readonly selection?: Selection<Row>;
}

/** The class of a link that covers its whole row. */
export const ROW_LINK = styles.rowLink!;

/**
 * A table with one line per row, and two on phones. Some browsers drop the table semantics there, so roles restore
 * them.
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
  const allowed = useMemo(
    () => all.filter(({ operation }) => operation === undefined || may(operation)),
    [all, may],
  );
  const { shown, choose } = useVisibleColumns(allowed);
  const selected = useSelection(rows, selection?.everything);
  const { toggle } = selected;
  const onSelect = useCallback((id: string, isOn: boolean) => toggle([id], isOn), [toggle]);
  const isAll = rows.every(({ _id }) => selected.ids.has(_id));
  return (
    <div className={styles.region}>
      {selection && <SelectionBar selection={selection} selected={selected} isAll={isAll} />}
      <table role="table" className={styles.table}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" scope="col">
                <input
                  type="checkbox"
                  aria-label={texts.table.selectAll}
                  checked={isAll}
                  onChange={({ target }) =>
                    toggle(
                      rows.map(({ _id }) => _id),
                      target.checked,
                    )
                  }
                />
              </th>
            )}
            {shown.map((column) => (
              <HeaderCell key={column.name} column={column} sorting={sorting} />
            ))}
            {menu && (
              <th role="columnheader" scope="col">
                <VisuallyHidden>{texts.overview.action}</VisuallyHidden>
                {all.some(({ visibility }) => visibility === 'optional') && (
                  <ColumnMenu columns={allowed} shown={shown} onChoose={choose} />
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
              isSelected={selected.ids.has(row._id)}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

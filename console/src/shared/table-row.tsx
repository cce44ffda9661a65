import { memo, type MouseEvent, type ReactNode } from 'react';
import { texts } from '../texts.js';
import type { Column } from './data-table.js';
import styles from './data-table.module.css';

interface Props<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly menu: ((row: Row) => ReactNode) | undefined;
  /** Where it can be selected: what it is called. */
  readonly nameOf: ((row: Row) => string) | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (id: string, isSelected: boolean) => void;
}

function RowOfTable<Row extends { readonly _id: string }>(props: Props<Row>) {
  const { row, columns, menu, nameOf, isSelected, onSelect } = props;
  return (
    <tr role="row" data-selected={isSelected || undefined}>
      {nameOf && (
        <td role="cell" className={styles.control}>
          <input
            type="checkbox"
            aria-label={texts.table.select(nameOf(row))}
            checked={isSelected}
            onChange={({ target }) => onSelect(row._id, target.checked)}
          />
        </td>
      )}
      {columns.map(({ name, cell }) => (
        <td key={name} role="cell" data-column={name} onMouseEnter={nameWhatIsCut}>
          <div className={styles.line}>{cell(row)}</div>
        </td>
      ))}
      {menu && (
        <td role="cell" className={styles.control}>
          {menu(row)}
        </td>
      )}
    </tr>
  );
}

/** A row of a table, drawn again only when it changes: a page of a list that is added leaves those before it alone. */
export const TableRow = memo(RowOfTable) as typeof RowOfTable;

/** Text that ends with an ellipsis is shown whole by hovering. */
export function nameWhatIsCut({ currentTarget }: MouseEvent<HTMLElement>): void {
  const line = currentTarget.firstElementChild;
  if (!(line instanceof HTMLElement)) return;
  const isCut = line.scrollWidth > line.clientWidth;
  if (isCut) line.title = line.innerText;
  else line.removeAttribute('title');
}

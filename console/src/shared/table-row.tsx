import { memo, type MouseEvent, type ReactNode } from 'react';
import { texts } from '../texts.js';
import type { Column } from './data-table.js';
import styles from './data-table.module.css';

interface Props<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly menu: ((row: Row) => ReactNode) | undefined;
  /** The name of a row that can be selected. */
  readonly nameOf: ((row: Row) => string) | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (id: string, isSelected: boolean) => void;
}

function RowOfTable<Row extends { readonly _id: string }>(props: Props<Row>) {
  const { row, columns, menu, nameOf, isSelected, onSelect } = props;
  return (
    <tr role="row" data-selected={isSelected || undefined} onMouseMove={nameWhatIsCut}>
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
      {columns.map(({ name, cell, isShort, operation, card = operation && 'head' }) => {
        const content = cell(row);
        return (
          <td
            key={name}
            role="cell"
            data-column={name}
            data-card={content === texts.none ? 'none' : card}
          >
            {isShort ? (
              <div className={styles.short}>{content}</div>
            ) : (
              <div className={styles.line}>
                <div dir="auto">{content}</div>
              </div>
            )}
          </td>
        );
      })}
      {menu && (
        <td role="cell" className={styles.control}>
          {menu(row)}
        </td>
      )}
    </tr>
  );
}

/** A table row. It rerenders only when it changes, so loading another page doesn't rerender earlier rows. */
export const TableRow = memo(RowOfTable) as typeof RowOfTable;

/**
 * Shows the truncated text under the pointer as the row's tooltip. The row's link covers the cells, so the
 * cells get no events.
 */
function nameWhatIsCut({ currentTarget: row, clientX }: MouseEvent<HTMLElement>): void {
  const cell = [...row.children].find((one) => clientX < one.getBoundingClientRect().right);
  const text = cell?.querySelector<HTMLElement>('[dir]');
  row.title = text && text.scrollWidth > text.clientWidth ? text.innerText : '';
}

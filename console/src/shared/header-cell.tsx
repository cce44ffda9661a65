import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { Column } from './data-table.js';
import styles from './data-table.module.css';

export interface Sorting {
  readonly by: string | undefined;
  readonly order: 'asc' | 'desc';
  readonly onChange: (by: string) => void;
  /** Loads the rows in the new order when the pointer is over the button, as links do with their pages. */
  readonly preload: (by: string) => void;
}

interface Props<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
}

export function HeaderCell<Row>({ column: { name, sort }, sorting }: Props<Row>) {
  if (!sort || !sorting) {
    return (
      <th role="columnheader" scope="col">
        {name}
      </th>
    );
  }
  const isSorted = sorting.by === sort;
  const Icon = !isSorted ? ArrowUpDown : sorting.order === 'asc' ? ArrowUp : ArrowDown;
  const order = sorting.order === 'asc' ? 'ascending' : 'descending';
  return (
    <th role="columnheader" scope="col" aria-sort={isSorted ? order : 'none'}>
      <button
        type="button"
        className={styles.sort}
        onPointerEnter={() => sorting.preload(sort)}
        onClick={() => sorting.onChange(sort)}
      >
        {name} <Icon size={14} aria-hidden />
      </button>
    </th>
  );
}

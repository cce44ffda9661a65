import type { ReactNode } from 'react';
import { type Operation, useMay } from '../api/use-may.js';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** What its buttons do. Others do not see the column. */
  readonly operation?: Operation;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/**
 * A table, whose rows become cards on narrow screens. Some browsers take the meaning from tables that are displayed
 * otherwise, so it is given by roles.
 */
export function DataTable<Row extends { readonly _id: string }>({
  caption,
  columns: all,
  rows,
}: Props<Row>) {
  const may = useMay();
  const columns = all.filter(({ operation }) => operation === undefined || may(operation));
  return (
    <table role="table" className="data">
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name }) => (
            <th key={name} role="columnheader" scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={row._id} role="row">
            {columns.map(({ name, cell }) => (
              <td key={name} role="cell" data-column={name}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

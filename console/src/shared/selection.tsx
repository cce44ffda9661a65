import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useWrite } from '../api/use-write.js';
import { texts } from '../texts.js';
import styles from './data-table.module.css';
import { ErrorNote } from './error-note.js';
import buttons from './ui/button.module.css';
import { Waiting } from './waiting.js';

/** All rows of a list, of which the table shows the first pages. */
export interface Everything<Row> {
  /** Identifies the list by its filters. */
  readonly list: string;
  readonly total: number;
  readonly load: () => Promise<readonly Row[]>;
}

export interface Selection<Row> {
  /** The name of a row. */
  readonly nameOf: (row: Row) => string;
  /** The actions for the selected rows. */
  readonly actions: (rows: readonly Row[], clear: () => void) => ReactNode;
  /** Set if rows that are not shown are selectable too. */
  readonly everything?: Everything<Row> | undefined;
}

/** The selected rows of a table, some of which it may not show. */
export function useSelection<Row extends { readonly _id: string }>(
  shown: readonly Row[],
  everything: Everything<Row> | undefined,
) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  /** The rows loaded for selecting all, and the list they belong to. */
  const [loaded, setLoaded] = useState<{ list?: string; rows: readonly Row[] }>({ rows: [] });
  const { list = '', load } = everything ?? {};
  const toggle = useCallback(
    (changed: readonly string[], isOn: boolean) =>
      setIds((before) => {
        const after = new Set(before);
        for (const id of changed) {
          if (isOn) after.add(id);
          else after.delete(id);
        }
        return after;
      }),
    [],
  );
  const select = (rows: readonly Row[]) => {
    setLoaded({ list, rows });
    setIds(new Set(rows.map(({ _id }) => _id)));
  };
  const rows = useMemo(() => {
    const others = loaded.list === list ? loaded.rows : [];
    // The table's rows are newer.
    const known = new Map([...others, ...shown].map((row) => [row._id, row]));
    return [...known.values()].filter(({ _id }) => ids.has(_id));
  }, [loaded, list, shown, ids]);
  const loading = useWrite(async () => load?.() ?? [], select);
  return { ids, rows, toggle, clear: () => select([]), loading };
}

interface Props<Row extends { readonly _id: string }> {
  readonly selection: Selection<Row>;
  readonly selected: ReturnType<typeof useSelection<Row>>;
  /** Whether all shown rows are selected. */
  readonly isAll: boolean;
}

/** The number of selected rows and the actions for them. */
export function SelectionBar<Row extends { readonly _id: string }>(props: Props<Row>) {
  const { selection, selected, isAll } = props;
  const { rows, clear, loading } = selected;
  const total = selection.everything?.total ?? 0;
  if (rows.length === 0) return null;
  return (
    <div role="group" aria-label={texts.table.selected(rows.length)} className={styles.bulk}>
      <span>{texts.table.selected(rows.length)}</span>
      {isAll && rows.length < total && (
        <button
          type="button"
          className={buttons.quiet}
          aria-disabled={loading.isPending}
          onClick={() => loading.isPending || loading.submit(undefined)}
        >
          {texts.table.selectEverything(total)}
        </button>
      )}
      {selection.actions(rows, clear)}
      <button type="button" className={buttons.quiet} onClick={clear}>
        {texts.table.clear}
      </button>
      <Waiting wait={loading.wait} onStop={loading.cancel} />
      {loading.error && <ErrorNote error={loading.error} />}
    </div>
  );
}

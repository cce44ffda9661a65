import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Column } from './data-table.js';

const WIDE = matchMedia('(min-width: 75rem)');

function subscribe(listener: () => void): () => void {
  WIDE.addEventListener('change', listener);
  return () => WIDE.removeEventListener('change', listener);
}

/** The columns that the window has room for, or that the user has chosen. */
export function useVisibleColumns<Row>(columns: readonly Column<Row>[]) {
  const isWide = useSyncExternalStore(subscribe, () => WIDE.matches);
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const shown = useMemo(
    () =>
      columns.filter(
        ({ name, visibility }) =>
          chosen[name] ?? (!visibility || (visibility === 'wide' && isWide)),
      ),
    [columns, chosen, isWide],
  );
  const choose = (changes: Readonly<Record<string, boolean>>) =>
    setChosen((before) => ({ ...before, ...changes }));
  return { shown, choose };
}

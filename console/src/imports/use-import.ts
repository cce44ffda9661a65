import { useCallback, useEffect, useRef, useState } from 'react';
import { Cancelled, type Wait } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { readPageAgain } from '../api/query-client.js';
import { sendRepeatedly } from '../api/send-repeatedly.js';
import type { ImportResult, ImportRow, LicensedService } from '../api/types.js';

/** Maximum number of rows per request. */
const BATCH_SIZE = 100;

type Mode = 'check' | 'create';

/** The rows to import. */
interface Licenses {
  readonly source: string;
  /** Defaults for rows that lack a value. */
  readonly defaults: { readonly services?: LicensedService[]; readonly project?: string };
  readonly rows: readonly ImportRow[];
}

/** The outcome of a row. */
export interface Outcome extends ImportResult {
  /** The line number in the file; line 1 contains the column names. */
  readonly line: number;
}

export interface Progress {
  readonly mode: Mode;
  readonly outcomes: readonly Outcome[];
  readonly all: number;
  /** Whether the rows would exceed the account's quotas. */
  readonly isTooMany: boolean;
  readonly isOver: boolean;
}

/**
 * Checks or imports rows in batches until it is stopped. Running it again continues, because the service
 * recognizes each row.
 */
export function useImport() {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [wait, setWait] = useState<Wait | null>(null);
  const stopping = useRef<AbortController>(null);
  useEffect(() => () => stopping.current?.abort(), []);
  const send = async (mode: Mode, { rows, ...common }: Licenses) => {
    const { signal } = (stopping.current = new AbortController());
    const outcomes: Outcome[] = [];
    let isTooMany = false;
    const report = (isOver: boolean) => {
      // Reset since, because the rows have changed.
      if (stopping.current?.signal !== signal) return;
      setProgress({ mode, outcomes: [...outcomes], all: rows.length, isTooMany, isOver });
    };
    setError(null);
    report(false);
    try {
      while (outcomes.length < rows.length && !signal.aborted) {
        const first = outcomes.length;
        const batch = rows.slice(first, first + BATCH_SIZE);
        const { results, wouldExceed } = await sendRepeatedly(
          () =>
            bodyOf(
              api.POST('/licenses/import', {
                body: { ...common, mode, allowMissingEmail: false, rows: batch },
              }),
            ),
          signal,
          setWait,
        );
        isTooMany ||= wouldExceed !== null;
        // Rows without an outcome are sent again in the next request.
        const deferred = results.findIndex(({ outcome }) => outcome === 'deferred');
        const reached = deferred === -1 ? results : results.slice(0, deferred);
        outcomes.push(...reached.map((one, index) => ({ ...one, line: first + index + 2 })));
        report(false);
      }
    } catch (reason) {
      if (!(reason instanceof Cancelled)) setError(reason as Error);
    }
    report(true);
    if (mode === 'create') readPageAgain();
  };
  const stop = useCallback(() => stopping.current?.abort(), []);
  const reset = useCallback(() => {
    stop();
    stopping.current = null;
    setProgress(null);
    setError(null);
  }, [stop]);
  return { progress, error, wait, send, stop, reset };
}

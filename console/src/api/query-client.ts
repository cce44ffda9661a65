import { QueryClient } from '@tanstack/react-query';
import { pauseAfter } from './api-error.js';

/** Retries before a page shows the error. */
const REPETITIONS = 10;

export const repeat = {
  retry: (failures: number, error: Error) => failures < REPETITIONS && pauseAfter(error) !== null,
  retryDelay: (_failures: number, error: Error) => pauseAfter(error) ?? 0,
  // The service may run on this machine, so it is reachable offline.
  networkMode: 'always',
} as const;

let openDialogs = 0;
/** Whether to refetch the page once no dialog is open. */
let isDue = false;

/** The cache and the pending requests. Temporary failures are retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { ...repeat, staleTime: 2000, refetchOnWindowFocus: () => openDialogs === 0 },
    // Responses to writes may contain keys. With 0, it would poll for the end of a write in a busy loop.
    mutations: { ...repeat, gcTime: 1000 },
  },
});

/** Refetches the page once no dialog is open, because a row that disappears would take its dialog with it. */
export function readPageAgain(): void {
  isDue = openDialogs > 0;
  if (!isDue) void queryClient.invalidateQueries();
}

/** A `refetchInterval` in milliseconds that pauses while a dialog is open. */
export const pollEvery = (milliseconds: number | false): number | false =>
  openDialogs === 0 && milliseconds;

/** Reevaluates each `refetchInterval`. */
function updatePolls(): void {
  const queries = queryClient.getQueryCache().getAll();
  for (const observer of queries.flatMap(({ observers }) => observers)) {
    observer.setOptions(observer.options);
  }
}

/**
 * Call it when a dialog opens.
 *
 * @returns a function to call when the dialog closes
 */
export function noteOpenDialog(): () => void {
  openDialogs += 1;
  updatePolls();
  return () => {
    openDialogs -= 1;
    updatePolls();
    if (isDue) readPageAgain();
  };
}

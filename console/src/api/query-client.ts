import { QueryClient } from '@tanstack/react-query';
import { pauseAfter } from './api-error.js';

/** How often a request is repeated before its page shows the error. */
const REPETITIONS = 10;

export const repeat = {
  retry: (failures: number, error: Error) => failures < REPETITIONS && pauseAfter(error) !== null,
  retryDelay: (_failures: number, error: Error) => pauseAfter(error) ?? 0,
  // Without a network the service may still be on this machine.
  networkMode: 'always',
} as const;

let openDialogs = 0;
/** Whether the page is to be read again once no dialog is open. */
let isDue = false;

/** What was read from the service, and the requests in progress. Those that fail for a while are repeated. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { ...repeat, staleTime: 2000, refetchOnWindowFocus: () => openDialogs === 0 },
    // Responses to writes may contain keys. 0 would look without a pause whether a write is over.
    mutations: { ...repeat, gcTime: 1000 },
  },
});

/** Reads again what the page shows, once no dialog is open: a row may go, and the dialog that it has opened with it. */
export function readPageAgain(): void {
  isDue = openDialogs > 0;
  if (!isDue) void queryClient.invalidateQueries();
}

/** A `refetchInterval` of this many milliseconds, without reads while a dialog is open. */
export const pollEvery = (milliseconds: number | false): number | false =>
  openDialogs === 0 && milliseconds;

/** Has each `refetchInterval` say again how long it is. */
function updatePolls(): void {
  const queries = queryClient.getQueryCache().getAll();
  for (const observer of queries.flatMap(({ observers }) => observers)) {
    observer.setOptions(observer.options);
  }
}

/** Notes that a dialog is open. @returns notes that it has closed */
export function noteOpenDialog(): () => void {
  openDialogs += 1;
  updatePolls();
  return () => {
    openDialogs -= 1;
    updatePolls();
    if (isDue) readPageAgain();
  };
}

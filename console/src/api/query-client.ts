import { QueryClient } from '@tanstack/react-query';
import { pauseAfter } from './api-error.js';

/** How often a request is repeated before its page shows the error. */
const REPETITIONS = 10;

const repeat = {
  retry: (failures: number, error: Error) => failures < REPETITIONS && pauseAfter(error) !== null,
  retryDelay: (_failures: number, error: Error) => pauseAfter(error) ?? 0,
  // Without a network the service may still be on this machine.
  networkMode: 'always',
} as const;

/** What was read from the service, and the requests in progress. Those that fail for a while are repeated. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { ...repeat, staleTime: 2000 },
    // Responses to writes may contain keys. 0 would look without a pause whether a write is over.
    mutations: { ...repeat, gcTime: 1000 },
  },
});

import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.js';
import { Loading } from './ui/loading.js';

/** What is used of a query of TanStack Query. */
interface Query<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface Props<Data> {
  readonly query: Query<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** What a query has read; until then, that it is loading; where it has failed, why. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: Props<Data>) {
  return (
    <>
      {error && <ErrorNote error={error} onRetry={refetch} />}
      {data !== undefined && children(data)}
      {data === undefined && !error && <Loading />}
    </>
  );
}

import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.js';
import { Loading } from './ui/loading.js';

/** The part of a TanStack query that is used here. */
interface Query<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface Props<Data> {
  readonly query: Query<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** The data of a query, or its loading state or error. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: Props<Data>) {
  return (
    <>
      {error && <ErrorNote error={error} onRetry={refetch} />}
      {data !== undefined && children(data)}
      {data === undefined && !error && <Loading />}
    </>
  );
}

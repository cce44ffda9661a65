import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { texts } from '../texts.js';
import { clientQuery } from './client-queries.js';

/** Milliseconds for which a name is not read again: lists show many, which change rarely. */
const STALE = 60_000;

/** The name of a client, which a license has by its id alone; the id, where the name cannot be read. */
export function ClientName({ id }: { readonly id: string }) {
  const { data, isError } = useQuery({ ...clientQuery(id), staleTime: STALE });
  return (
    <Link to="/clients/$id" params={{ id }}>
      {data?.name ?? (isError ? id : texts.loading)}
    </Link>
  );
}

import { useQuery } from '@tanstack/react-query';
import { texts } from '../texts.js';
import { projectQuery } from './project-queries.js';

/** Milliseconds for which a name is not read again: lists show many, which change rarely. */
const STALE = 60_000;

/** The name of a project, which a license has by its id alone; the id, where the name cannot be read. */
export function ProjectName({ id }: { readonly id: string }) {
  const { data, isError } = useQuery({ ...projectQuery(id), staleTime: STALE });
  return <>{data?.name ?? (isError ? id : texts.loading)}</>;
}

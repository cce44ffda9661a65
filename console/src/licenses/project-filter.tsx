import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { rowsOf } from '../api/pages.js';
import { projectQuery, projectsQuery } from '../projects/project-queries.js';
import { ErrorNote } from '../shared/error-note.js';
import { SelectField } from '../shared/fields.js';
import { texts } from '../texts.js';

interface Props {
  readonly clientId: string | undefined;
  readonly projectId: string | undefined;
  readonly onChange: (projectId: string) => void;
}

/** Chooses one of the client's projects. */
export function ProjectFilter({ clientId, projectId, onChange }: Props) {
  const query = useInfiniteQuery({
    ...projectsQuery(clientId ?? ''),
    enabled: clientId !== undefined,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  // A URL can contain a project without its client.
  const chosen = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== undefined });
  const listed = query.data && clientId !== undefined ? rowsOf(query.data) : [];
  const isListed = listed.some(({ _id }) => _id === projectId);
  const isDisabled = clientId === undefined && projectId === undefined;
  return (
    <>
      <SelectField
        label={texts.projects.project}
        name="projectId"
        value={projectId ?? ''}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">
          {isDisabled ? texts.licenses.chooseClientFirst : texts.licenses.any}
        </option>
        {projectId !== undefined && !isListed && (
          <option value={projectId}>{chosen.data?.name ?? projectId}</option>
        )}
        {listed.map(({ _id, name }) => (
          <option key={_id} value={_id}>
            {name}
          </option>
        ))}
      </SelectField>
      {query.error && <ErrorNote error={query.error} onRetry={() => query.refetch()} />}
    </>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { rowsOf } from '../api/pages.js';
import * as inputs from '../api/inputs.js';
import { TextField } from '../shared/fields.js';
import { texts } from '../texts.js';
import { projectsQuery } from './project-queries.js';

/** The project of a new license: one of the client's, or a new one. */
export function ProjectNameField({ clientId }: { readonly clientId: string | undefined }) {
  const list = useId();
  const { data } = useInfiniteQuery({
    ...projectsQuery(clientId ?? ''),
    enabled: clientId !== undefined,
  });
  const projects = data && clientId !== undefined ? rowsOf(data) : [];
  return (
    <>
      <TextField
        label={texts.projects.name}
        {...inputs.createProject.projectName}
        hint={texts.projects.projectHint}
        list={list}
        required={false}
        autoComplete="off"
      />
      <datalist id={list}>
        {projects.map(({ _id, name }) => (
          <option key={_id} value={name} />
        ))}
      </datalist>
    </>
  );
}

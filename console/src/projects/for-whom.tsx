import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { rowsOf } from '../api/pages.js';
import * as inputs from '../api/inputs.js';
import { ClientChoice } from '../clients/client-choice.js';
import { TextField } from '../shared/fields.js';
import { textOf } from '../shared/form.js';
import { texts } from '../texts.js';
import type { Subject } from './issue-license.js';
import { projectsQuery } from './project-queries.js';

interface Props {
  readonly clientId: string | undefined;
  readonly onChange: (clientId: string | undefined) => void;
}

/** The client and project of a new license, existing or new. */
export function ForWhom({ clientId, onChange }: Props) {
  const list = useId();
  const { data } = useInfiniteQuery({
    ...projectsQuery(clientId ?? ''),
    enabled: clientId !== undefined,
  });
  const isNew = clientId === undefined;
  const projects = data && !isNew ? rowsOf(data) : [];
  return (
    <>
      <ClientChoice
        clientId={clientId}
        name={CLIENT}
        placeholder={texts.projects.clientHint}
        onChange={(client) => onChange(client?._id)}
      />
      {isNew && (
        <TextField
          label={texts.projects.emailLabel}
          {...inputs.createClient.email}
          required
          autoComplete="off"
        />
      )}
      <TextField
        label={texts.projects.name}
        {...inputs.createProject.projectName}
        hint={texts.projects.projectHint}
        list={list}
        autoComplete="off"
      />
      <datalist id={list}>
        {projects.map(({ _id, name }) => (
          <option key={_id} value={name} />
        ))}
      </datalist>
      <TextField
        label={texts.projects.product}
        hint={texts.projects.productHint}
        {...inputs.createProject.product}
        autoComplete="off"
      />
    </>
  );
}

const CLIENT = 'clientName';

export const subjectOf = (fields: FormData, clientId: string | undefined): Subject => ({
  client: clientId ?? { name: textOf(fields, CLIENT), email: textOf(fields, 'email') },
  projectName: textOf(fields, 'projectName'),
  product: textOf(fields, 'product') || null,
});

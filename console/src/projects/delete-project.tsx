import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { unlessGone } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Project } from '../api/types.js';
import { notifyDeleted } from '../bin/undo.js';
import { ConfirmationForm } from '../shared/confirmation.js';
import { CloseAction } from '../shared/dialog.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Loaded } from '../shared/loaded.js';
import { Obstacles } from '../shared/obstacles.js';
import { texts } from '../texts.js';
import { licenseCountsQuery } from './project-queries.js';

const { projects: names } = texts;

/** Statuses that protect a license and its project from deletion. */
const IN_USE = ['ACTIVE', 'SUSPENDED'] as const;

interface Props {
  readonly project: Project;
}

/** Deletes a project with its licenses, unless any are in use. */
export const DeleteProject = ({ project }: Props) => (
  <DialogButton
    operation="deleteProject"
    label={names.delete}
    title={names.deleteTitle(project.name)}
  >
    {(close) => <DeleteForm project={project} onClose={close} />}
  </DialogButton>
);

function DeleteForm({ project, onClose }: Props & { readonly onClose: () => void }) {
  const counts = useQuery(licenseCountsQuery(project._id));
  const { _id: projectId, client: clientId, name } = project;
  return (
    <>
      <Loaded query={counts}>
        {(found) => {
          const inUse = IN_USE.filter((status) => found[status] > 0);
          if (inUse.length > 0) {
            return (
              <Obstacles
                reason={names.hasLicensesInUse(name)}
                links={inUse.map((status) => (
                  <Link to="/licenses" search={{ clientId, projectId, status }} onClick={onClose}>
                    {names.inUse[status](found[status])}
                  </Link>
                ))}
                onClose={onClose}
              />
            );
          }
          return (
            <ConfirmationForm
              submit={names.delete}
              details={names.deleteDetails(found.all)}
              isDangerous
              {...(found.all > 0 && { typed: name })}
              run={() => deleteProject(projectId)}
              done={() => notifyDeleted({ id: projectId, name })}
              onClose={onClose}
            />
          );
        }}
      </Loaded>
      {counts.data === undefined && <CloseAction onClose={onClose} />}
    </>
  );
}

const deleteProject = (id: string) =>
  unlessGone(bodyOf(api.DELETE('/projects/{id}', { params: { path: { id } } })));

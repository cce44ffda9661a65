import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { unlessGone } from '../api/api-error.js';
import { api } from '../api/client.js';
import { rowsOf } from '../api/pages.js';
import { bodyOf } from '../api/public-client.js';
import type { Client } from '../api/types.js';
import { notifyDeleted } from '../bin/undo.js';
import { projectsQuery } from '../projects/project-queries.js';
import { ConfirmationForm } from '../shared/confirmation.js';
import { CloseAction } from '../shared/dialog.js';
import { Loaded } from '../shared/loaded.js';
import { Obstacles } from '../shared/obstacles.js';
import { texts } from '../texts.js';

interface Props {
  readonly client: Client;
  readonly onClose: () => void;
}

/** Deletes a client, unless it has projects. */
export function DeleteForm({ client: { _id, name }, onClose }: Props) {
  const navigate = useNavigate();
  const projects = useInfiniteQuery(projectsQuery(_id));
  return (
    <>
      <Loaded query={projects}>
        {(pages) =>
          rowsOf(pages).length > 0 ? (
            <Obstacles
              reason={texts.clients.hasProjects(name)}
              links={rowsOf(pages).map((project) => (
                <Link to="/clients/$id" params={{ id: _id }} hash={project._id} onClick={onClose}>
                  {project.name}
                </Link>
              ))}
              onClose={onClose}
            />
          ) : (
            <ConfirmationForm
              submit={texts.clients.delete}
              details={texts.clients.deleteDetails}
              isDangerous
              run={() => deleteClient(_id)}
              done={async () => {
                await navigate({ to: '/clients' });
                notifyDeleted({ id: _id, name });
              }}
              onClose={onClose}
            />
          )
        }
      </Loaded>
      {projects.data === undefined && <CloseAction onClose={onClose} />}
    </>
  );
}

const deleteClient = (id: string) =>
  unlessGone(bodyOf(api.DELETE('/clients/{id}', { params: { path: { id } } })));

import type { License, Project } from '../api/types.js';
import { canBeRevoked } from '../licenses/license-actions.js';
import { LicenseTable } from '../licenses/license-table.js';
import { DraftScope } from '../shared/drafts.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel, PanelHead } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { EditProject } from './change-project.js';
import { DeleteProject } from './delete-project.js';
import { NewLicense } from './new-license.js';
import { RevokeAll } from './revoke-all.js';

interface Props {
  readonly project: Project;
  /** The licenses of the project loaded so far. */
  readonly licenses: readonly License[];
  /** Whether there may be more licenses to load. */
  readonly hasMore: boolean;
}

/** A project with its licenses. */
export function ProjectPanel({ project, licenses, hasMore }: Props) {
  const { product, noLicenses, noLicensesSoFar } = texts.projects;
  return (
    <Panel id={project._id} label={project.name}>
      <PanelHead title={project.name}>
        <DraftScope value={project._id}>
          <NewLicense project={project} isPlain />
          <EditProject
            project={project}
            isActivated={licenses.some(({ activatedAt }) => activatedAt !== null)}
          />
          {licenses.some(canBeRevoked) && <RevokeAll project={project} />}
          <DeleteProject project={project} />
        </DraftScope>
      </PanelHead>
      {project.product !== null && (
        <Muted>
          {product} <code>{project.product}</code>
        </Muted>
      )}
      {licenses.length > 0 ? (
        <LicenseTable licenses={licenses} caption={project.name} of="project" />
      ) : (
        <Muted>{hasMore ? noLicensesSoFar : noLicenses}</Muted>
      )}
    </Panel>
  );
}

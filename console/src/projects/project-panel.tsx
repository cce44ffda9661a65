import type { License, Project } from '../api/types.js';
import { LicenseTable } from '../licenses/license-table.js';
import { texts } from '../texts.js';
import { EditProject } from './change-project.js';
import { DeleteProject } from './delete-project.js';
import { NewLicense } from './new-license.js';

interface Props {
  readonly project: Project;
  /** Those of the project that were read. */
  readonly licenses: readonly License[];
  /** Whether it may have licenses that were not read yet. */
  readonly hasMore: boolean;
}

/** A project with its licenses. */
export function ProjectPanel({ project, licenses, hasMore }: Props) {
  const { product, noLicenses, noLicensesSoFar } = texts.projects;
  return (
    <section id={project._id} className="panel" aria-label={project.name}>
      <div className="panel-head">
        <h2>{project.name}</h2>
        <NewLicense project={project} />
        <EditProject project={project} />
        <DeleteProject project={project} />
      </div>
      {project.product !== null && (
        <p className="muted">
          {product} <code>{project.product}</code>
        </p>
      )}
      {licenses.length > 0 ? (
        <LicenseTable licenses={licenses} caption={project.name} of="project" />
      ) : (
        <p className="muted">{hasMore ? noLicensesSoFar : noLicenses}</p>
      )}
    </section>
  );
}

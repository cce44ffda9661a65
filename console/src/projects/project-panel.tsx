import { useInfiniteQuery } from '@tanstack/react-query';
import { rowsOf } from '../api/pages.js';
import type { Project } from '../api/types.js';
import { licensesQuery } from '../licenses/license-queries.js';
import { LicenseTable } from '../licenses/license-table.js';
import { Loaded } from '../shared/loaded.js';
import { ShowMore } from '../shared/show-more.js';
import { texts } from '../texts.js';
import { EditProject } from './change-project.js';
import { DeleteProject } from './delete-project.js';
import { NewLicense } from './new-license.js';

/** A project with its licenses. */
export function ProjectPanel({ project }: { readonly project: Project }) {
  const licenses = useInfiniteQuery(licensesQuery({ projectId: project._id }));
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
          {texts.projects.product} <code>{project.product}</code>
        </p>
      )}
      <Loaded query={licenses}>
        {(pages) => {
          const rows = rowsOf(pages);
          if (rows.length === 0) return <p className="muted">{texts.projects.noLicenses}</p>;
          return <LicenseTable licenses={rows} caption={project.name} of="project" />;
        }}
      </Loaded>
      <ShowMore query={licenses} />
    </section>
  );
}

import type { ClientOverview, ProjectOverview } from '../../../dashboard/dashboard.js';
import { type ClientRecord, toClient } from './client.schema.js';
import { toLicense } from './license.mapper.js';
import type { LicenseRecord } from './license.schema.js';
import { type ProjectRecord, toProject } from './project.schema.js';

/** A client with its newest projects. */
export interface ClientWithProjects extends ClientRecord {
  readonly projects: readonly ProjectRecord[];
}

/** The licenses that are shown, by the id of their project. */
type Licenses = ReadonlyMap<string, readonly LicenseRecord[]>;

export function toClientOverview(client: ClientWithProjects, licenses: Licenses): ClientOverview {
  return {
    client: toClient(client),
    projectsCount: client.projectsCount,
    projects: client.projects.map((project) => toProjectOverview(project, licenses)),
  };
}

function toProjectOverview(project: ProjectRecord, licenses: Licenses): ProjectOverview {
  return {
    project: toProject(project),
    licensesCount: project.licensesCount,
    licenses: (licenses.get(project._id.toHexString()) ?? []).map(toLicense),
  };
}

import type { ClientOverview, ProjectOverview } from '../../../dashboard/dashboard.js';
import { type ClientRecord, toClient } from './client.schema.js';
import { toLicense } from './license.mapper.js';
import type { LicenseRecord } from './license.schema.js';
import { type ProjectRecord, toProject } from './project.schema.js';

/** A client with its newest projects, and those with their newest licenses. */
export interface ClientTree extends ClientRecord {
  readonly projects: readonly ProjectTree[];
}

interface ProjectTree extends ProjectRecord {
  readonly licenses: readonly LicenseRecord[];
}

export function toClientOverview(tree: ClientTree): ClientOverview {
  return {
    client: toClient(tree),
    projectsCount: tree.projectsCount,
    projects: tree.projects.map(toProjectOverview),
  };
}

function toProjectOverview(tree: ProjectTree): ProjectOverview {
  return {
    project: toProject(tree),
    licensesCount: tree.licensesCount,
    licenses: tree.licenses.map(toLicense),
  };
}

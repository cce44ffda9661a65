import { toClientDto } from '../clients/dto/client.response.js';
import type { LicensePresenter } from '../licenses/license.presenter.js';
import { toProjectDto } from '../projects/dto/project.response.js';
import { toListResponse } from '../shared/pagination/page.query.js';
import type { Dashboard } from './dashboard.js';
import type { DashboardResponse } from './dto/dashboard.response.js';

/**
 * The dashboard as its owner sees it, with the license keys unsealed.
 *
 * @param list the name of the list for its cursors
 */
export async function toDashboardResponse(
  { totals, page }: Dashboard,
  list: string,
  presenter: LicensePresenter,
): Promise<DashboardResponse> {
  const shown = page.data.flatMap(({ projects }) => projects.flatMap(({ licenses }) => licenses));
  const presented = await presenter.presentAll(shown);
  const byId = new Map(presented.map((license) => [license._id, license]));
  const clients = page.data.map(({ client, projects }) => ({
    ...toClientDto(client),
    projectsCount: client.projectsCount,
    projects: projects.map(({ project, licenses }) => ({
      ...toProjectDto(project),
      licensesCount: project.licensesCount,
      licenses: licenses.map(({ _id }) => byId.get(_id)!),
    })),
  }));
  return {
    message: 'Dashboard loaded successfully',
    ...totals,
    ...toListResponse({ ...page, data: clients }, list, (client) => client),
  };
}

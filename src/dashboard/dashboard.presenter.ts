import { setImmediate } from 'node:timers/promises';
import { toClientDto } from '../clients/dto/client.response.js';
import type { LicensePresenter } from '../licenses/license.presenter.js';
import { toProjectDto } from '../projects/dto/project.response.js';
import { toListResponse } from '../shared/pagination/page.query.js';
import type { ClientOverview, Dashboard } from './dashboard.js';
import type { ClientOverviewDto, DashboardResponse } from './dto/dashboard.response.js';

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
  const clients: ClientOverviewDto[] = [];
  for (const overview of page.data) {
    // Unsealing 400 keys takes milliseconds: yield to other requests between clients.
    await setImmediate();
    clients.push(await toClientOverviewDto(overview, presenter));
  }
  return {
    message: 'Dashboard loaded successfully',
    ...totals,
    ...toListResponse({ ...page, data: clients }, list, (client) => client),
  };
}

const toClientOverviewDto = async (
  { client, projects }: ClientOverview,
  presenter: LicensePresenter,
): Promise<ClientOverviewDto> => ({
  ...toClientDto(client),
  projectsCount: client.projectsCount,
  projects: await Promise.all(
    projects.map(async ({ project, licenses }) => ({
      ...toProjectDto(project),
      licensesCount: project.licensesCount,
      licenses: await presenter.presentAll(licenses),
    })),
  ),
});

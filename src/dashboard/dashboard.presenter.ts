import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { toClientDto } from '../clients/dto/client.response.js';
import { LicensePresenter } from '../licenses/license.presenter.js';
import { toProjectDto } from '../projects/dto/project.response.js';
import { toListResponse } from '../shared/pagination/page.query.js';
import type { ClientOverview, Dashboard, ProjectOverview } from './dashboard.js';
import type {
  ClientOverviewDto,
  DashboardResponse,
  ProjectOverviewDto,
} from './dto/dashboard.response.js';

/** Presents a dashboard to its owner, with the license keys unsealed. */
@Injectable()
export class DashboardPresenter {
  constructor(private readonly licenses: LicensePresenter) {}

  /** @param list the name of the list for its cursors */
  async present({ totals, page }: Dashboard, list: string): Promise<DashboardResponse> {
    const clients: ClientOverviewDto[] = [];
    for (const overview of page.data) {
      // Unsealing 400 keys takes milliseconds: yield to other requests between clients.
      await setImmediate();
      clients.push(this.presentClient(overview));
    }
    return {
      message: 'Dashboard loaded successfully',
      ...totals,
      ...toListResponse({ ...page, data: clients }, list, (client) => client),
    };
  }

  private presentClient({ client, projectsCount, projects }: ClientOverview): ClientOverviewDto {
    return {
      ...toClientDto(client),
      projectsCount,
      projects: projects.map((overview) => this.presentProject(overview)),
    };
  }

  private presentProject(overview: ProjectOverview): ProjectOverviewDto {
    const { project, licensesCount, licenses } = overview;
    return {
      ...toProjectDto(project),
      licensesCount,
      licenses: licenses.map((license) => this.licenses.present(license)),
    };
  }
}

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

/** Shows a dashboard to its user, with the license keys opened. */
@Injectable()
export class DashboardPresenter {
  constructor(private readonly licenses: LicensePresenter) {}

  /** @param list names the list that its cursors are of */
  async present({ totals, page }: Dashboard, list: string): Promise<DashboardResponse> {
    const clients: ClientOverviewDto[] = [];
    for (const overview of page.data) {
      // Opening 400 keys takes milliseconds: other requests come between two clients.
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
